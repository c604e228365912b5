#include "models/workload/recorded/nsys/nsys_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/workload/recorded/recording/cuda_names.hpp"
#include "models/workload/recorded/recording/nccl_names.hpp"

namespace septet::recorded {
namespace {

constexpr std::int64_t kUnsigned32 = std::numeric_limits<std::uint32_t>::max();

constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kMemsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";

std::uint32_t unsigned_32(std::optional<std::int64_t> value) {
  return value && *value >= 0 && *value <= kUnsigned32 ? static_cast<std::uint32_t>(*value) : 0;
}

Bytes bytes_of(std::optional<std::int64_t> value) {
  return Bytes(std::max<std::int64_t>(0, value.value_or(0)));
}

// "cudaLaunchKernel_v7000": the number is the version of the interface.
std::string_view without_version(std::string_view name) {
  const std::size_t at = name.rfind("_v");
  if (at == std::string_view::npos || at + 2 == name.size()) return name;
  const bool digits = name.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
  return digits && name.size() - at > 3 ? name.substr(0, at) : name;
}

std::string_view as_it_is(std::string_view name) { return name; }

// The names and codes of copies, as the CUDA profiling interface numbers them.
struct CopyCode {
  std::string_view ends;
  program::CopyDirection direction;
};
constexpr std::array<CopyCode, 14> kCopyCodes = {{
    {"", program::CopyDirection::kDeviceToDevice},
    {"HtoD", program::CopyDirection::kHostToDevice},
    {"DtoH", program::CopyDirection::kDeviceToHost},
    {"HtoA", program::CopyDirection::kHostToDevice},
    {"AtoH", program::CopyDirection::kDeviceToHost},
    {"AtoA", program::CopyDirection::kDeviceToDevice},
    {"AtoD", program::CopyDirection::kDeviceToDevice},
    {"DtoA", program::CopyDirection::kDeviceToDevice},
    {"DtoD", program::CopyDirection::kDeviceToDevice},
    {"HtoH", program::CopyDirection::kHostToHost},
    {"PtoP", program::CopyDirection::kDeviceToDevice},
    {"HtoD", program::CopyDirection::kHostToDevice},
    {"DtoH", program::CopyDirection::kDeviceToHost},
    {"DtoD", program::CopyDirection::kDeviceToDevice},
}};

class NsysTables {
 public:
  NsysTables(const SqliteFile& file, NsysBuilder& builder) : file_(file), builder_(builder) {}

  void read() {
    read_strings();
    read_memory_kinds();
    read_devices();
    read_priorities();
    read_kernels();
    read_graphs();
    read_copies();
    read_memsets();
    read_calls();
    read_events();
    read_synchronizations();
    read_ranges();
    read_overheads();
    read_threads();
  }

 private:
  void read_strings() {
    SqliteRows rows(file_, "StringIds", {"id", "value"});
    while (rows.next()) {
      if (const auto id = rows.integer(0)) builder_.add_string(*id, rows.text(1));
    }
  }

  void read_memory_kinds() {
    SqliteRows rows(file_, "ENUM_CUDA_MEM_KIND", {"id", "label"});
    while (rows.next()) {
      if (rows.text(1) == "Pageable") pageable_ = rows.integer(0);
    }
  }

  void read_devices() {
    SqliteRows of_process(file_, "TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"});
    while (of_process.next()) {
      const auto device = of_process.integer(1);
      const auto gpu = of_process.integer(2);
      if (device && gpu) builder_.name_device(of_process.integer_or(0, 0), *device, *gpu);
    }
    SqliteRows rows(file_, "TARGET_INFO_GPU", {"id", "name", "smCount"});
    while (rows.next()) {
      const std::int64_t id = rows.integer_or(0, -1);
      if (id < 0 || id >= kNoDevice) continue;
      builder_.recording.trace.devices.push_back({.id = static_cast<std::uint16_t>(id),
                                                  .name = std::string(rows.text(1)),
                                                  .sm_count = unsigned_32(rows.integer(2))});
    }
  }

  void read_priorities() {
    SqliteRows rows(file_, "TARGET_INFO_CUDA_STREAM",
                    {"streamId", "contextId", "processId", "priority"});
    while (rows.next()) {
      const std::int64_t priority = rows.integer_or(3, 0);
      if (priority == 0 || priority < -100 || priority > 100) continue;
      priorities_[{rows.integer_or(2, 0), rows.integer_or(1, 0), rows.integer_or(0, 0)}] =
          static_cast<std::int32_t>(priority);
    }
  }

  // Those of every kind of GPU work, then its own.
  static std::vector<const char*> gpu_columns(std::initializer_list<const char*> own) {
    std::vector<const char*> out = {"start",    "end",           "deviceId",  "contextId",
                                    "streamId", "correlationId", "globalPid", "graphNodeId"};
    out.insert(out.end(), own);
    return out;
  }

  // `rows`: of gpu_columns. False: the row has no time.
  bool gpu_row(const SqliteRows& rows, RecordedKind kind, RecordedEvent& row,
               RecordedGpuWork& gpu) {
    ++builder_.recording.trace.entries;
    row.kind = kind;
    if (!builder_.set_times(rows.integer(0), rows.integer(1), row)) return false;
    const std::uint64_t process =
        rows.has_column(6) ? builder_.process_of(rows.integer_or(6, 0)) : 0;
    const std::int64_t context = rows.integer_or(3, 0);
    const std::int64_t stream = rows.integer_or(4, 0);
    builder_.place(process, rows.integer_or(2, 0), context, stream, row);
    row.correlation = NsysBuilder::correlation(process, rows.integer(5));
    if (row.correlation == kNoCorrelation) {
      builder_.recording.anomaly("GPU work without a correlation");
    }
    // The graph of a node is the upper half of its number.
    gpu.graph_node = static_cast<std::uint64_t>(rows.integer_or(7, 0));
    gpu.graph = gpu.graph_node >> 32;
    const std::int64_t pid = (rows.integer_or(6, 0) >> 24) & 0xFFFFFF;
    const auto priority = priorities_.find({pid, context, stream});
    if (priority != priorities_.end()) gpu.priority = priority->second;
    return true;
  }

  void read_kernels() {
    SqliteRows rows(
        file_, kKernels,
        gpu_columns({"demangledName", "shortName", "gridX", "gridY", "gridZ", "blockX", "blockY",
                     "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"}));
    while (rows.next()) {
      RecordedEvent row;
      KernelActivity kernel;
      if (!gpu_row(rows, RecordedKind::kKernel, row, kernel.gpu)) continue;
      const auto name = rows.integer(8) ? rows.integer(8) : rows.integer(9);
      row.name = builder_.name(name.value_or(-1), as_it_is);
      if (!row.duration_missing && row.duration == Duration(0)) {
        builder_.recording.anomaly("kernels of duration 0");
      }
      const auto size = [&](int column) { return unsigned_32(rows.integer(column)); };
      kernel.shape.grid = {size(10), size(11), size(12)};
      kernel.shape.block = {size(13), size(14), size(15)};
      kernel.shape.registers_per_thread = size(16);
      kernel.shape.dynamic_shared = bytes_of(rows.integer(17)) + bytes_of(rows.integer(18));
      if (kernel.shape.blocks() == 0) builder_.recording.anomaly("kernels without a grid");
      kernel.collective.op = nccl_op(builder_.string(name.value_or(-1)));
      add(row, kernel);
    }
  }

  // Graphs traced as a whole: one row a launch.
  void read_graphs() {
    SqliteRows rows(file_, kGraphs, gpu_columns({"graphId"}));
    while (rows.next()) {
      RecordedEvent row;
      KernelActivity graph;
      if (!gpu_row(rows, RecordedKind::kKernel, row, graph.gpu)) continue;
      graph.gpu.graph =
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, rows.integer_or(8, 0)));
      graph.shape.grid = graph.shape.block = {0, 0, 0};
      row.name = builder_.recording.text(fmt::format("CUDA graph {}", graph.gpu.graph));
      add(row, graph);
    }
  }

  std::string copy_name(const CopyCode& code, bool pageable) const {
    if (code.ends.empty()) return "Memcpy";
    const bool host = code.ends.find('H') != std::string_view::npos;
    if (!host) return fmt::format("Memcpy {}", code.ends);
    const auto memory = [&](char side) {
      return side != 'H' ? "Device" : pageable ? "Pageable" : "Pinned";
    };
    return fmt::format("Memcpy {} ({} -> {})", code.ends, memory(code.ends.front()),
                       memory(code.ends.back()));
  }

  void read_copies() {
    SqliteRows rows(file_, kCopies, gpu_columns({"bytes", "copyKind", "srcKind", "dstKind"}));
    while (rows.next()) {
      RecordedEvent row;
      CopyActivity copy;
      if (!gpu_row(rows, RecordedKind::kCopy, row, copy.gpu)) continue;
      const std::int64_t kind = rows.integer_or(9, 0);
      const bool known = kind >= 0 && kind < static_cast<std::int64_t>(kCopyCodes.size());
      if (!known) builder_.recording.anomaly("copies of an unknown kind");
      const CopyCode& code = kCopyCodes[known ? static_cast<std::size_t>(kind) : 0];
      const bool pageable =
          pageable_ && (rows.integer(10) == pageable_ || rows.integer(11) == pageable_);
      copy.bytes = bytes_of(rows.integer(8));
      if (!code.ends.empty()) copy.direction = code.direction;
      copy.pinned = !pageable;
      row.name = builder_.recording.text(copy_name(code, pageable));
      add(row, copy);
    }
  }

  void read_memsets() {
    SqliteRows rows(file_, kMemsets, gpu_columns({"bytes"}));
    while (rows.next()) {
      RecordedEvent row;
      MemsetActivity memset;
      if (!gpu_row(rows, RecordedKind::kMemset, row, memset.gpu)) continue;
      memset.bytes = bytes_of(rows.integer(8));
      row.name = builder_.recording.text("Memset (Device)");
      add(row, memset);
    }
  }

  void read_calls() {
    // Older versions write the calls of the driver to a table of their own.
    for (const char* table :
         {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER", "CUDA_API"}) {
      SqliteRows rows(file_, table, {"start", "end", "globalTid", "correlationId", "nameId"});
      while (rows.next()) read_call(rows);
    }
  }

  void read_call(const SqliteRows& rows) {
    ++builder_.recording.trace.entries;
    RecordedEvent row;
    row.kind = RecordedKind::kApiCall;
    if (!builder_.set_times(rows.integer(0), rows.integer(1), row)) return;
    const std::int64_t global = rows.integer_or(2, 0);
    row.thread = builder_.thread_of(global);
    row.correlation = NsysBuilder::correlation(api_process(global), rows.integer(3));
    row.name = builder_.name(rows.integer_or(4, -1), without_version);
    builder_.recording.trace.events.push_back(row);
  }

  // Where GPU work doesn't say its process, there is only one.
  std::uint64_t api_process(std::int64_t global) {
    return has_processes_ ? builder_.process_of(global) : 0;
  }

  // Which call recorded an event, by process and the number that ties waits to it.
  void read_events() {
    SqliteRows rows(
        file_, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
        {"contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"});
    while (rows.next()) {
      const std::int64_t global = rows.integer_or(3, 0);
      const EventKey key{builder_.process_of(global), rows.integer_or(4, -1),
                         rows.integer_or(5, -1)};
      events_[key] = {NsysBuilder::correlation(key.process, rows.integer(2)), rows.integer_or(0, 0),
                      rows.integer_or(1, 0)};
    }
  }

  void read_synchronizations() {
    SqliteRows rows(file_, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                    {"start", "end", "contextId", "streamId", "correlationId", "globalPid",
                     "eventId", "eventSyncId"});
    while (rows.next()) {
      ++builder_.recording.trace.entries;
      RecordedEvent row;
      row.kind = RecordedKind::kSync;
      if (!builder_.set_times(rows.integer(0), rows.integer(1), row)) continue;
      const std::uint64_t process = builder_.process_of(rows.integer_or(5, 0));
      if (!builder_.find_place(process, rows.integer_or(2, 0), rows.integer_or(3, 0), row))
        continue;
      row.correlation = NsysBuilder::correlation(process, rows.integer(4));
      row.name = builder_.recording.text("synchronization");
      const auto event = events_.find({process, rows.integer_or(6, -1), rows.integer_or(7, -1)});
      if (event != events_.end()) {
        RecordedEvent source;
        builder_.find_place(process, event->second.context, event->second.stream, source);
        row.activity = builder_.recording.activity(
            SyncActivity{event->second.correlation, source.stream, source.device});
      }
      builder_.recording.trace.events.push_back(row);
    }
  }

  // Ranges that nest on their thread. PyTorch's emit_nvtx appends its operators' numbers.
  void read_ranges() {
    constexpr std::int64_t kPushPop = 59;
    SqliteRows rows(file_, "NVTX_EVENTS",
                    {"start", "end", "eventType", "text", "textId", "globalTid"});
    while (rows.next()) {
      if (rows.integer(2) != kPushPop || !rows.integer(1)) {
        builder_.recording.unused("NVTX", rows.integer(1) ? "range of another kind" : "mark");
        continue;
      }
      ++builder_.recording.trace.entries;
      RecordedEvent row;
      if (!builder_.set_times(rows.integer(0), rows.integer(1), row)) continue;
      std::string_view text = rows.text(3);
      if (text.empty()) text = builder_.string(rows.integer_or(4, -1));
      const std::size_t numbers = std::min(text.find(", seq = "), text.find(", op_id = "));
      const bool is_operator = numbers != std::string_view::npos;
      row.kind = is_operator ? RecordedKind::kCpuOp : RecordedKind::kAnnotation;
      row.name = builder_.recording.text(text.substr(0, numbers));
      row.thread = builder_.thread_of(rows.integer_or(5, 0));
      builder_.recording.trace.events.push_back(row);
    }
  }

  void read_overheads() {
    for (const char* table : {"PROFILER_OVERHEAD", "CUPTI_ACTIVITY_KIND_OVERHEAD"}) {
      SqliteRows rows(file_, table, {"start", "end", "globalTid", "nameId"});
      while (rows.next()) {
        ++builder_.recording.trace.entries;
        RecordedEvent row;
        row.kind = RecordedKind::kOverhead;
        if (!builder_.set_times(rows.integer(0), rows.integer(1), row)) continue;
        row.thread = builder_.thread_of(rows.integer_or(2, 0));
        row.name = builder_.name(rows.integer_or(3, -1), as_it_is);
        builder_.recording.trace.events.push_back(row);
      }
    }
  }

  void read_threads() {
    SqliteRows rows(file_, "ThreadNames", {"globalTid", "nameId"});
    while (rows.next()) {
      const auto thread = rows.integer(0);
      if (thread) builder_.name_thread(*thread, builder_.string(rows.integer_or(1, -1)));
    }
  }

  template <class Activity>
  void add(RecordedEvent& row, const Activity& activity) {
    row.activity = builder_.recording.activity(activity);
    builder_.recording.trace.events.push_back(row);
  }

  struct EventKey {
    std::uint64_t process;
    std::int64_t event, synchronization;
    auto operator<=>(const EventKey&) const = default;
  };
  struct EventRecorded {
    std::uint64_t correlation;
    std::int64_t context, stream;
  };

  const SqliteFile& file_;
  NsysBuilder& builder_;
  std::optional<std::int64_t> pageable_{0};
  bool has_processes_ = SqliteRows(file_, kKernels, {"globalPid"}).has_column(0) ||
                        SqliteRows(file_, kCopies, {"globalPid"}).has_column(0) ||
                        SqliteRows(file_, kGraphs, {"globalPid"}).has_column(0);
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int32_t> priorities_;
  std::map<EventKey, EventRecorded> events_;
};

std::int64_t session_start(const SqliteFile& file) {
  SqliteRows rows(file, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"});
  return rows.next() ? rows.integer_or(0, 0) : 0;
}

}  // namespace

RecordedTrace read_nsys_tables(const SqliteFile& file, NsysBuilder& builder) {
  bool gpu_work = false;
  for (const char* table : {kKernels, kCopies, kMemsets, kGraphs}) {
    gpu_work = gpu_work || file.has_table(table);
  }
  if (!gpu_work) {
    throw ConfigError({file.name()},
                      file.has_table("StringIds")
                          ? "an export of Nsight Systems without CUDA activity; record with "
                            "nsys profile --trace=cuda,nvtx"
                          : "an SQLite file, but no export of Nsight Systems");
  }
  NsysTables(file, builder).read();
  RecordedTrace trace = builder.finish(session_start(file));
  read_api_names(trace);
  return trace;
}

}  // namespace septet::recorded
