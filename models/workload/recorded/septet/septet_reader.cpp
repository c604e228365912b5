#include "models/workload/recorded/septet/septet_reader.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/trace/table_rows.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/graph_records.hpp"
#include "models/workload/recorded/recording/nccl_names.hpp"
#include "models/workload/recorded/recording/recording_builder.hpp"
#include "models/workload/recorded/septet/simulated_calls.hpp"

namespace septet::recorded {
namespace {

using program::CallKind;
using records::GpuRecord;
constexpr std::int64_t kInt = std::numeric_limits<std::int32_t>::max();

class Reading {
 public:
  explicit Reading(const std::string& path) : path_(path), file_(path), recording_(path) {
    recording_.trace.simulated = true;
  }

  RecordedTrace read() {
    recording_.anomaly(kRunDidNotEnd, file_.status() == "complete" ? 0 : 1);
    recording_.anomaly("no checksum: changed or damaged", file_.sealed() ? 0 : 1);
    read_threads();
    read_graphs();
    read_calls();
    read_kernels();
    read_copies();
    add_synchronizations();
    recording_.trace.unused["rows of event_records"] = file_.rows("event_records");
    describe_run();
    return recording_.finish();
  }

 private:
  void read_threads() {
    std::int64_t number = 0;
    for (const std::string& name : file_.dictionary("thread")) {
      recording_.threads.index(0, number);
      recording_.threads.name_thread(0, number++, name);
    }
  }

  // Ids of graphs and nodes are one more than in the file, since 0 means none.
  void read_graphs() {
    graphs_ = trace::read_small_table<records::GraphRecord>(file_);
    auto& known_edges = recording_.trace.graph_edges;
    for (const records::GraphRecord& graph : graphs_) known_edges[graph_id(graph.shape)];
    const auto edges = trace::read_small_table<records::GraphEdgeRecord>(file_);
    for (std::size_t row = 0; row < edges.size(); ++row) {
      const records::GraphEdgeRecord& edge = edges[row];
      const auto known = known_edges.find(graph_id(edge.shape));
      const bool nodes = edge.from >= 0 && edge.from < kInt && edge.to >= 0 && edge.to < kInt;
      if (known == known_edges.end() || !nodes) {
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
    for (const SimulatedCall& call : calls_) {
      if (call.kind == CallKind::kMarker) {
        add_marker(call, names);
        continue;
      }
      const bool queue = call.kind == CallKind::kPushItem || call.kind == CallKind::kAwaitItems;
      if (queue) {
        recording_.anomaly("calls on queues of persistent kernels, treated as host time");
      }
      RecordedEvent event;
      event.kind = RecordedKind::kApiCall;
      event.api = api_kind_of(call);
      event.programmatic = call.manner == program::CallManner::kProgrammatic;
      event.start = call.start;
      event.duration = call.end - call.start;
      event.correlation = call.id;
      event.thread = static_cast<std::uint32_t>(call.thread);
      event.stream = call.stream;
      event.name = recording_.text(names[static_cast<std::size_t>(call.name)]);
      recording_.trace.events.push_back(event);
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
    event.name = recording_.text(text < names.size() ? names[text] : "marker");
    recording_.trace.events.push_back(event);
  }

  void read_kernels() {
    const std::vector<std::string> names = file_.dictionary("kernel");
    const auto kernels = trace::read_records<records::KernelRecord>(file_);
    for (std::size_t row = 0; row < kernels.size(); ++row) {
      const records::KernelRecord& kernel = kernels[row];
      check_order("kernels", row, kernel);
      const std::string& name = names[static_cast<std::size_t>(kernel.name)];
      KernelActivity activity;
      activity.gpu = gpu_work(kernel);
      activity.shape.grid = {static_cast<std::uint32_t>(kernel.blocks), 1, 1};
      activity.shape.block = {0, 0, 0};
      activity.shape.registers_per_thread = 0;
      activity.collective.op = nccl_op(name);
      add_work(kernel, RecordedKind::kKernel, name, activity);
    }
  }

  void read_copies() {
    const auto copies = trace::read_records<records::CopyRecord>(file_);
    for (std::size_t row = 0; row < copies.size(); ++row) {
      const records::CopyRecord& copy = copies[row];
      check_order("copies", row, copy);
      std::string name(profiler_name(copy.kind));
      if (copy.kind == records::CopyKind::kMemset) {
        const MemsetActivity activity{gpu_work(copy), copy.bytes};
        add_work(copy, RecordedKind::kMemset, name, activity);
        continue;
      }
      const SimulatedCall* call = call_at(copy);
      const bool pageable = call != nullptr && call->pageable();
      if (pageable) name += " (Pageable)";
      const auto direction = static_cast<program::CopyDirection>(copy.kind);
      const CopyActivity activity{gpu_work(copy), copy.bytes, direction, !pageable};
      add_work(copy, RecordedKind::kCopy, name, activity);
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
                const RecordedActivity& activity) {
    const SimulatedCall* call = call_at(work);
    RecordedEvent event;
    event.kind = kind;
    event.start = work.start;
    event.duration = work.end - work.start;
    event.correlation = call == nullptr ? kNoCorrelation : call->id;
    event.name = recording_.text(name);
    event.stream = work.stream;
    event.device = static_cast<std::uint16_t>(work.device);
    event.activity = recording_.activity(activity);
    devices_[event.stream] = event.device;
    recording_.trace.events.push_back(event);
  }

  RecordedGpuWork gpu_work(const GpuRecord& work) const {
    RecordedGpuWork out;
    out.queued = work.cause == records::WaitCause::kConnection ||
                 work.cause == records::WaitCause::kResidentGrids;
    if (out.queued) out.room = work.start - work.ready;
    if (work.node < 0) return out;
    out.graph = graph_of(call_at(work));
    out.graph_node = node_id(work.node);
    return out;
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
          add_sync(c, nullptr);
          break;
        case CallKind::kWaitEvent:
        case CallKind::kSynchronizeEvent: {
          const auto record = recorded.find(call.object);
          if (record != recorded.end()) add_sync(c, &calls_[record->second]);
          break;
        }
        case CallKind::kSynchronizeStream:
        case CallKind::kSynchronizeDevice:
          add_sync(c, nullptr);
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

  // `record`: of the event that is waited for; null where there is none.
  void add_sync(std::size_t number, const SimulatedCall* record) {
    const SimulatedCall& call = calls_[number];
    SyncActivity awaited;
    if (record != nullptr) awaited = {record->id, record->stream, device_of(record->stream)};
    RecordedEvent event;
    event.kind = RecordedKind::kSync;
    event.start = call.start;
    event.duration = call.end - call.start;
    event.correlation = call.id;
    event.name = recording_.text(name_of(call.kind));
    event.stream = call.stream;
    event.device =
        call.kind == CallKind::kSynchronizeDevice
            ? static_cast<std::uint16_t>(std::clamp<std::int32_t>(call.object, 0, kNoDevice))
            : device_of(call.stream);
    event.activity = recording_.activity(awaited);
    recording_.trace.events.push_back(event);
  }

  void describe_run() {
    RecordedTrace& trace = recording_.trace;
    const std::string gpu = text_attribute("gpu");
    trace.connections = static_cast<std::uint32_t>(number("connections", 1, kInt));
    trace.peer_latency = Duration(number("peer_latency", 0, trace::kLatestTime));
    std::set<std::uint16_t> devices;
    for (const auto& [stream, device] : devices_) devices.insert(device);
    for (const std::uint16_t device : devices) trace.devices.push_back({.id = device, .name = gpu});
    trace.entries = trace.events.size();
  }

  std::string text_attribute(const std::string& name) const {
    const trace::AttributeValue value = file_.attribute(name);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    throw ConfigError({path_}, "attribute " + name + " is not text");
  }

  std::int64_t number(const std::string& name, std::int64_t low, std::int64_t high) const {
    const trace::AttributeValue value = file_.attribute(name);
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number != nullptr && *number >= low && *number <= high) return *number;
    throw ConfigError::value({path_}, "attribute " + name,
                             number == nullptr ? "no integer" : std::to_string(*number),
                             fmt::format("{} to {}", low, high));
  }

  std::string path_;
  trace::Hdf5Reader file_;
  RecordingBuilder recording_;
  std::vector<SimulatedCall> calls_;
  CallPlaces places_;
  std::unordered_map<std::int32_t, std::uint16_t> devices_;  // by stream
  std::vector<records::GraphRecord> graphs_;
};

}  // namespace

RecordedTrace read_septet(const std::string& path) { return Reading(path).read(); }

bool looks_like_hdf5(std::string_view head) {
  return head.starts_with(std::string_view("\x89HDF\r\n\x1a\n", 8));
}

}  // namespace septet::recorded
