#include "models/workload/recorded/septet/septet_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/trace/table_rows.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/graph_records.hpp"
#include "models/workload/recorded/septet/simulated_calls.hpp"

namespace septet {
namespace {

constexpr std::int64_t kInt = std::numeric_limits<std::int32_t>::max();

class Reading {
 public:
  explicit Reading(const std::string& path) : path_(path), file_(path) {
    trace_.file = path;
    trace_.simulated = true;
  }

  RecordedTrace read() {
    if (file_.status() != "complete") ++trace_.anomalies["the run that wrote the file did not end"];
    read_threads();
    read_graphs();
    read_calls();
    read_kernels();
    read_copies();
    add_synchronizations();
    trace_.unused["rows of event_records"] = file_.rows("event_records");
    finish();
    return std::move(trace_);
  }

 private:
  std::uint32_t string_of(const std::string& text) {
    const auto next = static_cast<std::uint32_t>(trace_.strings.size());
    const auto [entry, fresh] = strings_.try_emplace(text, next);
    if (fresh) trace_.strings.push_back(text);
    return entry->second;
  }

  std::uint32_t add_detail(const RecordedDetail& detail) {
    trace_.details.push_back(detail);
    return static_cast<std::uint32_t>(trace_.details.size() - 1);
  }

  void read_threads() {
    for (const std::string& name : file_.dictionary("thread")) {
      const auto number = static_cast<std::int64_t>(trace_.threads.size());
      trace_.threads.push_back({.process = 0, .thread = number, .name = name});
    }
  }

  // Ids of graphs and nodes are one more than in the file, since 0 means none.
  void read_graphs() {
    graphs_ = read_small_table<GraphRecord>(file_);
    for (const GraphRecord& graph : graphs_) trace_.graph_edges[graph_id(graph.shape)];
    const std::vector<GraphEdgeRecord> edges = read_small_table<GraphEdgeRecord>(file_);
    for (std::size_t row = 0; row < edges.size(); ++row) {
      const GraphEdgeRecord& edge = edges[row];
      const auto known = trace_.graph_edges.find(graph_id(edge.shape));
      const bool nodes = edge.from >= 0 && edge.from < kInt && edge.to >= 0 && edge.to < kInt;
      if (known == trace_.graph_edges.end() || !nodes) {
        throw ConfigError({path_}, fmt::format("graph_edges, row {}: got the edge {} to {} of "
                                               "shape {}, wanted two nodes of a known shape",
                                               row, edge.from, edge.to, edge.shape));
      }
      known->second.push_back({node_id(edge.from), node_id(edge.to)});
    }
  }

  static std::uint64_t graph_id(std::int64_t shape) {
    return static_cast<std::uint64_t>(shape) + 1;
  }
  static std::uint64_t node_id(std::int64_t node) { return static_cast<std::uint64_t>(node) + 1; }

  void read_calls() {
    const std::vector<std::string> names = file_.dictionary("call");
    calls_ = read_simulated_calls(file_);
    places_ = places_of(file_, calls_);
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      const SimulatedCall& call = calls_[c];
      if (call.kind == CallKind::kMarker) {
        add_marker(call, names);
        continue;
      }
      const bool queue = call.kind == CallKind::kPushItem || call.kind == CallKind::kAwaitItems;
      if (queue) ++trace_.anomalies["calls on queues of persistent kernels, read as host time"];
      RecordedEvent event;
      event.kind = RecordedKind::kRuntime;
      event.start = call.start;
      event.duration = call.end - call.start;
      event.correlation = call.id;
      event.thread = static_cast<std::uint32_t>(call.thread);
      event.stream = call.stream;
      event.name = string_of(api_name(call, names[static_cast<std::size_t>(call.name)]));
      trace_.events.push_back(event);
    }
  }

  // A marker names its text: the dictionary has the kinds of calls first, then the Program's texts.
  void add_marker(const SimulatedCall& call, const std::vector<std::string>& names) {
    const std::size_t text =
        kEnumSize<CallKind> + static_cast<std::size_t>(std::max(0, call.object));
    RecordedEvent event;
    event.kind = RecordedKind::kAnnotation;
    event.start = call.start;
    event.thread = static_cast<std::uint32_t>(call.thread);
    event.name = string_of(text < names.size() ? names[text] : "marker");
    trace_.events.push_back(event);
  }

  void read_kernels() {
    const std::vector<std::string> names = file_.dictionary("kernel");
    const std::vector<KernelRecord> kernels = read_records<KernelRecord>(file_);
    for (std::size_t row = 0; row < kernels.size(); ++row) {
      const KernelRecord& kernel = kernels[row];
      check_order("kernels", row, kernel);
      RecordedDetail detail;
      detail.shape.grid = {static_cast<std::uint32_t>(kernel.blocks), 1, 1};
      detail.shape.block = {0, 0, 0};
      detail.shape.registers_per_thread = 0;
      add_work(kernel, RecordedKind::kKernel, names[static_cast<std::size_t>(kernel.name)], detail);
    }
  }

  void read_copies() {
    const std::vector<CopyRecord> copies = read_records<CopyRecord>(file_);
    for (std::size_t row = 0; row < copies.size(); ++row) {
      const CopyRecord& copy = copies[row];
      check_order("copies", row, copy);
      const SimulatedCall* call = call_at(copy);
      std::string name(profiler_name(copy.kind));
      if (call != nullptr && call->pageable()) name += " (Pageable)";
      RecordedDetail detail;
      detail.bytes = copy.bytes;
      const bool memset = copy.kind == CopyKind::kMemset;
      add_work(copy, memset ? RecordedKind::kFill : RecordedKind::kCopy, name, detail);
    }
  }

  void check_order(const std::string& table, std::size_t row, const GpuRecord& work) const {
    if (work.end >= work.start && work.start >= work.ready) return;
    refuse_value(file_, table, "start", row, std::to_string(work.start.count()),
                 fmt::format("ready, {}, to end, {}", work.ready.count(), work.end.count()));
  }

  const SimulatedCall* call_at(const GpuRecord& work) const {
    const auto found = places_.find({work.thread, work.call});
    return found == places_.end() ? nullptr : &calls_[found->second];
  }

  void add_work(const GpuRecord& work, RecordedKind kind, const std::string& name,
                RecordedDetail detail) {
    const SimulatedCall* call = call_at(work);
    RecordedEvent event;
    event.kind = kind;
    event.start = work.start;
    event.duration = work.end - work.start;
    event.correlation = call == nullptr ? kNoCorrelation : call->id;
    event.name = string_of(name);
    event.stream = work.stream;
    event.device = static_cast<std::uint16_t>(work.device);
    detail.queued = work.cause == WaitCause::kConnection || work.cause == WaitCause::kResidentGrids;
    if (detail.queued) detail.room = work.start - work.ready;
    if (work.node >= 0) {
      detail.graph = graph_of(call);
      detail.graph_node = node_id(work.node);
    }
    event.detail = add_detail(detail);
    devices_[event.stream] = event.device;
    trace_.events.push_back(event);
  }

  std::uint64_t graph_of(const SimulatedCall* call) const {
    const bool known = call != nullptr && call->kind == CallKind::kLaunchGraph &&
                       call->object >= 0 &&
                       call->object < static_cast<std::int64_t>(graphs_.size());
    return known ? graph_id(graphs_[static_cast<std::size_t>(call->object)].shape) : 0;
  }

  // One record for each call that names a stream, an event or a device, as the profiler writes them
  // where it is asked to.
  void add_synchronizations() {
    std::vector<std::size_t> order(calls_.size());
    for (std::size_t c = 0; c < order.size(); ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return calls_[a].start < calls_[b].start;
    });
    std::unordered_map<std::int64_t, std::size_t> recorded;  // by event: the last call so far
    for (const std::size_t c : order) {
      const SimulatedCall& call = calls_[c];
      switch (call.kind) {
        case CallKind::kRecordEvent:
          recorded[call.object] = c;
          add_sync(c, "Event Record", nullptr);
          break;
        case CallKind::kWaitEvent:
        case CallKind::kSynchronizeEvent: {
          const auto record = recorded.find(call.object);
          if (record != recorded.end()) add_sync(c, "Event Wait", &record->second);
          break;
        }
        case CallKind::kSynchronizeStream:
        case CallKind::kSynchronizeDevice:
          add_sync(c, "Synchronize", nullptr);
          break;
        default:
          break;
      }
    }
  }

  std::uint16_t device_of(std::int32_t stream) const {
    const auto found = devices_.find(stream);
    return found == devices_.end() ? kNoDevice : found->second;
  }

  void add_sync(std::size_t number, const std::string& kind, const std::size_t* record) {
    const SimulatedCall& call = calls_[number];
    RecordedDetail detail;
    detail.sync_kind = string_of(kind);
    if (record != nullptr) {
      detail.wait_correlation = calls_[*record].id;
      detail.wait_stream = calls_[*record].stream;
      detail.wait_device = device_of(detail.wait_stream);
    }
    RecordedEvent event;
    event.kind = RecordedKind::kSync;
    event.start = call.start;
    event.duration = call.end - call.start;
    event.correlation = call.id;
    event.name = detail.sync_kind;
    event.stream = call.stream;
    event.device =
        call.kind == CallKind::kSynchronizeDevice
            ? static_cast<std::uint16_t>(std::clamp<std::int32_t>(call.object, 0, kNoDevice))
            : device_of(call.stream);
    event.detail = add_detail(detail);
    trace_.events.push_back(event);
  }

  void finish() {
    std::stable_sort(
        trace_.events.begin(), trace_.events.end(),
        [](const RecordedEvent& a, const RecordedEvent& b) { return a.start < b.start; });
    std::map<std::uint16_t, RecordedDevice> devices;
    const std::string gpu = text_attribute("gpu");
    trace_.connections = static_cast<std::uint32_t>(number_attribute("connections", 1, kInt));
    trace_.peer_latency = Duration(number_attribute("peer_latency", 0, kLatestTime));
    for (const auto& [stream, device] : devices_) {
      devices[device] = {.id = device, .name = gpu, .sm_count = 0};
    }
    for (const auto& [id, device] : devices) trace_.devices.push_back(device);
    trace_.entries = trace_.events.size();
  }

  std::string text_attribute(const std::string& name) const {
    const AttributeValue value = file_.attribute(name);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    throw ConfigError({path_}, "attribute " + name + " is not text");
  }

  std::int64_t number_attribute(const std::string& name, std::int64_t low,
                                std::int64_t high) const {
    const AttributeValue value = file_.attribute(name);
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number != nullptr && *number >= low && *number <= high) return *number;
    throw ConfigError::value({path_}, "attribute " + name,
                             number == nullptr ? "no integer" : std::to_string(*number),
                             fmt::format("{} to {}", low, high));
  }

  std::string path_;
  Hdf5Reader file_;
  RecordedTrace trace_;
  std::vector<SimulatedCall> calls_;
  CallPlaces places_;
  std::unordered_map<std::string, std::uint32_t> strings_;
  std::unordered_map<std::int32_t, std::uint16_t> devices_;  // by stream
  std::vector<GraphRecord> graphs_;
};

}  // namespace

RecordedTrace read_septet(const std::string& path) { return Reading(path).read(); }

bool looks_like_hdf5(std::string_view head) {
  return head.starts_with(std::string_view("\x89HDF\r\n\x1a\n", 8));
}

}  // namespace septet
