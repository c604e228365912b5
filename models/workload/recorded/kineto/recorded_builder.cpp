#include "models/workload/recorded/kineto/recorded_builder.hpp"

#include <algorithm>
#include <limits>

#include "models/workload/recorded/kineto/kineto_kinds.hpp"

namespace septet {
namespace {

using enum KinetoField;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kUnsigned32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostNames =
    256;  // distinct keys of a count, so that noise can't fill memory

bool is_gpu_work(RecordedKind kind) {
  return kind == RecordedKind::kKernel || kind == RecordedKind::kCopy ||
         kind == RecordedKind::kFill;
}

// Records of category cuda_event say where an event was recorded; they name no kind themselves.
constexpr std::string_view kEventRecord = "Event Record";

std::uint64_t as_id(RecordedInteger integer) {
  const bool none = integer.negative || integer.magnitude == kUnsigned32;
  return none ? kNoCorrelation : integer.magnitude;
}

}  // namespace

void RecordedBuilder::count(std::string_view anomaly, std::uint64_t times) {
  if (times > 0) trace_.anomalies[std::string(anomaly)] += times;
}

void RecordedBuilder::skip(std::string_view what, std::string_view which) {
  scratch_.assign(what).append(1, ' ').append(which.substr(0, 80));
  auto found = trace_.unused.find(scratch_);
  if (found == trace_.unused.end()) {
    make_valid_utf8(scratch_);
    if (trace_.unused.size() >= kMostNames) scratch_ = "of further kinds";
    found = trace_.unused.try_emplace(scratch_, 0).first;
  }
  ++found->second;
}

void RecordedBuilder::add(const KinetoEvent& event) {
  ++trace_.entries;
  if (event.any_repeated()) count("entries with a key given twice (the last one counts)");
  if (!event.has(kPhase) || event.text(kPhase).size() != 1) {
    return skip("phase", event.has(kPhase) ? event.text(kPhase) : "missing");
  }
  switch (const char phase = event.text(kPhase)[0]) {
    case 'X': {
      const std::string_view category = event.has(kCategory) ? event.text(kCategory) : "missing";
      const RecordedKind kind = kineto_kind(category);
      if (kind == RecordedKind::kOther) return skip("category", category);
      add_slice(event, kind);
      return;
    }
    case 'B':
      return add_begin(event);
    case 'E':
      return add_end(event);
    case 's':
    case 'f':
      return add_flow(event, phase == 's');
    case 'M':
      return add_metadata(event);
    default:
      return skip("phase", event.text(kPhase));
  }
}

std::optional<RecordedBuilder::Mark> RecordedBuilder::mark(const KinetoEvent& event) {
  if (!event.has(kTime)) {
    count(event.unreadable(kTime) ? "entries left out: ts is not a number of microseconds"
                                  : "entries left out: no ts");
    return std::nullopt;
  }
  if (event.quoted(kTime)) count("ts given as text");
  if (event.time(kTime).microseconds < 0) count("ts below 0");
  if (event.time(kTime).rounded) count("ts rounded to picoseconds");
  const auto mark = time_line_.mark(event.time(kTime));
  if (!mark) count("entries left out: ts far from all others");
  return mark;
}

std::optional<RecordedBuilder::Row> RecordedBuilder::add_slice(const KinetoEvent& event,
                                                               RecordedKind kind) {
  const auto at = mark(event);
  if (!at) return std::nullopt;
  RecordedEvent row;
  row.kind = kind;
  row.start = Instant(at->offset.count());
  row.name = strings_.index(event.has(kName) ? event.text(kName) : "");
  if (!event.has(kName)) count("events without a name");
  read_duration(event, row);
  read_correlation(event, row);
  read_place(event, row);
  row.detail = detail_of(event, kind);
  if (at->group != TimeLine::kFirst) strays_.emplace_back(trace_.events.size(), at->group);
  trace_.events.push_back(row);
  return trace_.events.size() - 1;
}

void RecordedBuilder::read_duration(const KinetoEvent& event, RecordedEvent& row) {
  row.duration_missing = true;
  if (!event.has(kDuration)) {
    if (event.unreadable(kDuration)) count("dur is not a number of microseconds");
    return;
  }
  if (event.quoted(kDuration)) count("dur given as text");
  const RecordedTime& time = event.time(kDuration);
  const auto duration = difference(time, RecordedTime{}, TimeLine::kReach);
  if (!duration) return count("dur beyond 26 days, read as missing");
  if (time.rounded) count("dur rounded to picoseconds");
  row.duration_missing = false;
  if (*duration < Duration{}) return count("dur below 0, read as 0");
  row.duration = *duration;
  if (row.kind == RecordedKind::kKernel && duration->count() == 0) count("kernels of duration 0");
}

void RecordedBuilder::read_correlation(const KinetoEvent& event, RecordedEvent& row) {
  if (event.has(kCorrelation)) row.correlation = as_id(event.integer(kCorrelation));
  if (row.correlation != kNoCorrelation) return;
  if (is_gpu_work(row.kind)) count("GPU work without a correlation");
  if (row.kind == RecordedKind::kRuntime) count("API calls without a correlation");
}

void RecordedBuilder::read_place(const KinetoEvent& event, RecordedEvent& row) {
  if (is_gpu_work(row.kind) || row.kind == RecordedKind::kSync) {
    row.device = device_of(event);
    row.stream = stream_of(event, event.has(kStream) ? kStream : kThread);
    if (is_gpu_work(row.kind) && row.stream == kNoStream) count("GPU work without a stream");
    return;
  }
  row.stream = event.has(kStream) ? stream_of(event, kStream) : kNoStream;
  row.thread = thread_of(event);
}

std::uint32_t RecordedBuilder::thread_of(const KinetoEvent& event) {
  return threads_.index(place_id(event, kProcess), place_id(event, kThread));
}

std::int64_t RecordedBuilder::place_id(const KinetoEvent& event, KinetoField field) {
  if (event.has(field)) {
    if (const auto id = event.integer(field).within(-kLargest, kLargest)) return *id;
    return threads_.number_of(std::to_string(event.integer(field).magnitude));
  }
  return threads_.number_of(event.unreadable(field) ? event.text(field) : "");
}

std::uint16_t RecordedBuilder::device_of(const KinetoEvent& event) {
  const KinetoField field = event.has(kDevice) ? kDevice : kProcess;
  const std::int64_t device = event.value(field, 0, kNoDevice - 1, kNoDevice);
  if (device == kNoDevice) {
    count(event.has(field) ? "events of a device beyond 65534" : "GPU events without a device");
  }
  return static_cast<std::uint16_t>(device);
}

std::int32_t RecordedBuilder::stream_of(const KinetoEvent& event, KinetoField field) {
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();
  if (!event.has(field)) return kNoStream;
  const RecordedInteger id = event.integer(field);
  const auto stream = id.within(-1, kLimit);
  if (!stream && id.magnitude != kUnsigned32) count("streams beyond 31 bits, read as none");
  return static_cast<std::int32_t>(stream.value_or(kNoStream));
}

std::uint32_t RecordedBuilder::detail_of(const KinetoEvent& event, RecordedKind kind) {
  const bool call = kind == RecordedKind::kRuntime;
  if (call && !event.has(kGrid) && !event.has(kBytes)) return kNoDetail;
  if (!call && !is_gpu_work(kind) && kind != RecordedKind::kSync) return kNoDetail;
  RecordedDetail detail;
  read_shape(event, detail);
  if (kind == RecordedKind::kKernel && detail.shape.blocks() == 0) count("kernels without a grid");
  detail.bytes = Bytes(event.value(kBytes, 0, kLargest, 0));
  if (event.has(kGraph)) detail.graph = as_id(event.integer(kGraph));
  if (event.has(kGraphNode)) detail.graph_node = as_id(event.integer(kGraphNode));
  if (event.has(kWaitCorrelation)) detail.wait_correlation = as_id(event.integer(kWaitCorrelation));
  detail.wait_stream = stream_of(event, kWaitStream);
  if (event.has(kSyncKind)) {
    detail.sync_kind = strings_.index(event.text(kSyncKind));
  } else if (kind == RecordedKind::kSync) {
    detail.sync_kind = strings_.index(kEventRecord);
  }
  if (event.has(kCollective)) detail.collective = strings_.index(event.text(kCollective));
  detail.collective_elements = event.value(kElements, 0, kLargest, 0);
  constexpr std::int64_t kInt = std::numeric_limits<std::int32_t>::max();
  detail.group_size = static_cast<std::int32_t>(event.value(kGroupSize, 0, kInt, 0));
  detail.priority = static_cast<std::int32_t>(event.value(kPriority, -kInt, kInt, 0));
  return add_detail(detail);
}

void RecordedBuilder::read_shape(const KinetoEvent& event, RecordedDetail& detail) {
  LaunchShape& shape = detail.shape;
  const bool readable = !event.unreadable(kGrid) && !event.unreadable(kBlock);
  if (!readable) count("grids or blocks that are not three sizes");
  const bool both = readable && event.has(kGrid) && event.has(kBlock);
  shape.grid = both ? event.dimensions(kGrid) : Dim3{0, 0, 0};
  shape.block = both ? event.dimensions(kBlock) : Dim3{0, 0, 0};
  shape.registers_per_thread =
      static_cast<std::uint32_t>(event.value(kRegisters, 0, kUnsigned32, 0));
  shape.dynamic_shared = Bytes(event.value(kShared, 0, kLargest, 0));
}

}  // namespace septet
