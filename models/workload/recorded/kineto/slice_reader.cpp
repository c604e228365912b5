#include "models/workload/recorded/kineto/slice_reader.hpp"

#include <limits>
#include <string>

#include "models/workload/recorded/recording/cuda_names.hpp"
#include "models/workload/recorded/recording/nccl_names.hpp"
#include "models/workload/recorded/recording/time_line.hpp"

namespace septet::recorded {
namespace {

using enum KinetoField;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kUnsigned32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kInt = std::numeric_limits<std::int32_t>::max();

std::uint64_t id_of(const KinetoEvent& slice, KinetoField field) {
  if (!slice.has(field)) return kNoCorrelation;
  const RecordedInteger id = slice.integer(field);
  return id.negative || id.magnitude == kUnsigned32 ? kNoCorrelation : id.magnitude;
}

Bytes bytes_of(const KinetoEvent& slice) { return Bytes(slice.value(kBytes, 0, kLargest, 0)); }

}  // namespace

void SliceReader::read(const KinetoEvent& slice, RecordedEvent& row) {
  row.name = recording_.text(slice.has(kName) ? slice.text(kName) : "");
  if (!slice.has(kName)) recording_.anomaly("events without a name");
  read_duration(slice, row);
  read_correlation(slice, row);
  read_place(slice, row);
  read_activity(slice, row);
}

void SliceReader::read_duration(const KinetoEvent& slice, RecordedEvent& row) {
  row.duration_missing = true;
  if (!slice.has(kDuration)) {
    if (slice.unreadable(kDuration)) recording_.anomaly("dur is not a number of microseconds");
    return;
  }
  if (slice.quoted(kDuration)) recording_.anomaly("dur given as text");
  const RecordedTime& time = slice.time(kDuration);
  const auto duration = difference(time, RecordedTime{}, TimeLine::kReach);
  if (!duration) return recording_.anomaly("dur beyond 26 days, treated as missing");
  if (time.rounded) recording_.anomaly("dur rounded to picoseconds");
  row.duration_missing = false;
  if (*duration < Duration{}) return recording_.anomaly("dur below 0, taken as 0");
  row.duration = *duration;
  if (row.kind == RecordedKind::kKernel && duration->count() == 0) {
    recording_.anomaly("kernels of duration 0");
  }
}

void SliceReader::read_correlation(const KinetoEvent& slice, RecordedEvent& row) {
  row.correlation = id_of(slice, kCorrelation);
  if (row.correlation != kNoCorrelation) return;
  if (is_gpu_work(row.kind)) recording_.anomaly("GPU work without a correlation");
  if (row.kind == RecordedKind::kApiCall) recording_.anomaly("API calls without a correlation");
}

void SliceReader::read_place(const KinetoEvent& slice, RecordedEvent& row) {
  if (is_gpu_work(row.kind) || row.kind == RecordedKind::kSync) {
    row.device = device_of(slice);
    row.stream = stream_of(slice, slice.has(kStream) ? kStream : kThread);
    if (is_gpu_work(row.kind) && row.stream == kNoStream) {
      recording_.anomaly("GPU work without a stream");
    }
    return;
  }
  row.stream = stream_of(slice, kStream);
  row.thread = thread_of(slice);
}

std::uint32_t SliceReader::thread_of(const KinetoEvent& event) {
  return recording_.threads.index(place_id(event, kProcess), place_id(event, kThread));
}

std::int64_t SliceReader::place_id(const KinetoEvent& event, KinetoField field) {
  ThreadTable& threads = recording_.threads;
  if (event.has(field)) {
    if (const auto id = event.integer(field).within(-kLargest, kLargest)) return *id;
    return threads.number_of(std::to_string(event.integer(field).magnitude));
  }
  return threads.number_of(event.unreadable(field) ? event.text(field) : "");
}

std::uint16_t SliceReader::device_of(const KinetoEvent& slice) {
  const KinetoField field = slice.has(kDevice) ? kDevice : kProcess;
  const std::int64_t device = slice.value(field, 0, kNoDevice - 1, kNoDevice);
  if (device == kNoDevice) {
    recording_.anomaly(slice.has(field) ? "events of a device beyond 65534"
                                        : "GPU events without a device");
  }
  return static_cast<std::uint16_t>(device);
}

std::int32_t SliceReader::stream_of(const KinetoEvent& slice, KinetoField field) {
  if (!slice.has(field)) return kNoStream;
  const RecordedInteger id = slice.integer(field);
  const auto stream = id.within(-1, kInt);
  if (!stream && id.magnitude != kUnsigned32) {
    recording_.anomaly("streams beyond 31 bits, treated as none");
  }
  return static_cast<std::int32_t>(stream.value_or(kNoStream));
}

void SliceReader::read_activity(const KinetoEvent& slice, RecordedEvent& row) {
  switch (row.kind) {
    case RecordedKind::kKernel:
      row.activity = recording_.activity(kernel(slice));
      return;
    case RecordedKind::kCopy:
      row.activity = recording_.activity(copy(slice));
      return;
    case RecordedKind::kMemset:
      row.activity = recording_.activity(MemsetActivity{gpu_work(slice), bytes_of(slice)});
      return;
    case RecordedKind::kSync:
      row.activity = recording_.activity(sync(slice));
      return;
    case RecordedKind::kApiCall:
      if (slice.has(kGrid)) row.activity = recording_.activity(LaunchActivity{shape_of(slice)});
      return;
    default:
      return;
  }
}

RecordedGpuWork SliceReader::gpu_work(const KinetoEvent& slice) {
  RecordedGpuWork out;
  out.graph = id_of(slice, kGraph);
  out.graph_node = id_of(slice, kGraphNode);
  out.priority = static_cast<std::int32_t>(slice.value(kPriority, -kInt, kInt, 0));
  return out;
}

// Kineto gives static and dynamic shared memory as one sum.
program::LaunchShape SliceReader::shape_of(const KinetoEvent& slice) {
  const bool readable = !slice.unreadable(kGrid) && !slice.unreadable(kBlock);
  if (!readable) recording_.anomaly("grids or blocks that are not three sizes");
  const bool both = readable && slice.has(kGrid) && slice.has(kBlock);
  program::LaunchShape shape;
  shape.grid = both ? slice.dimensions(kGrid) : program::Dim3{0, 0, 0};
  shape.block = both ? slice.dimensions(kBlock) : program::Dim3{0, 0, 0};
  shape.registers_per_thread =
      static_cast<std::uint32_t>(slice.value(kRegisters, 0, kUnsigned32, 0));
  shape.dynamic_shared = Bytes(slice.value(kShared, 0, kLargest, 0));
  return shape;
}

KernelActivity SliceReader::kernel(const KinetoEvent& slice) {
  KernelActivity out{gpu_work(slice), shape_of(slice), {}};
  if (out.shape.blocks() == 0) recording_.anomaly("kernels without a grid");
  if (slice.has(kName)) out.collective.op = nccl_op(slice.text(kName));
  if (slice.has(kCollective)) {
    out.collective.name = recording_.text(slice.text(kCollective));
    if (!out.collective.op) out.collective.op = named_op(slice.text(kCollective));
  }
  if (slice.has(kGroupName)) out.collective.group = recording_.text(slice.text(kGroupName));
  out.collective.elements = slice.value(kElements, 0, kLargest, 0);
  out.collective.group_size = static_cast<std::int32_t>(slice.value(kGroupSize, 0, kInt, 0));
  return out;
}

CopyActivity SliceReader::copy(const KinetoEvent& slice) {
  const std::string_view name = slice.has(kName) ? slice.text(kName) : "";
  const auto direction = copy_direction(name);
  return {gpu_work(slice), bytes_of(slice), direction, !direction || !copies_pageable_memory(name)};
}

SyncActivity SliceReader::sync(const KinetoEvent& slice) {
  return {.record_correlation = id_of(slice, kWaitCorrelation),
          .stream = stream_of(slice, kWaitStream)};
}

}  // namespace septet::recorded
