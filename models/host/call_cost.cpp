#include "models/host/call_cost.hpp"

#include <algorithm>

namespace septet::host {
namespace {

std::int64_t further_nodes(const HostSpec& spec, std::uint64_t nodes) {
  const auto free = static_cast<std::int64_t>(spec.graph_nodes_free);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(nodes) - free);
}

// Small host data are sent in the command, written by the CPU; pageable memory is staged by the
// CPU; everything else is fetched by the copy engine while the CPU continues.
Duration copy_cost(const HostSpec& spec, const program::Copy& copy) {
  if (copy.direction == program::CopyDirection::kDeviceToDevice) return spec.device_copy_cost;
  const bool inlined =
      copy.direction == program::CopyDirection::kHostToDevice && copy.bytes <= spec.inline_copy_max;
  if (inlined) return spec.inline_copy_cost + transfer_time(copy.bytes, spec.inline_copy_rate);
  if (copy.pinned) return spec.copy_cost;
  if (copy.direction == program::CopyDirection::kDeviceToHost) {
    return spec.copy_cost + transfer_time(copy.bytes, spec.pageable_read_rate);
  }
  const bool cached = copy.bytes <= spec.pageable_cached_max;
  const ByteRate rate = cached ? spec.pageable_cached_rate : spec.pageable_copy_rate;
  return spec.copy_cost + transfer_time(copy.bytes, rate);
}

}  // namespace

bool copied_by_kernel(const HostSpec& spec, const program::Call& call) {
  if (const auto* memset = program::get_if<program::Memset>(call))
    return memset->bytes > spec.inline_memset_max;
  const auto* copy = program::get_if<program::Copy>(call);
  return copy != nullptr && copy->direction == program::CopyDirection::kDeviceToDevice;
}

Duration graph_launch_cost(const HostSpec& spec, std::uint64_t nodes) {
  return spec.graph_launch_cost + spec.graph_launch_cost_per_node * further_nodes(spec, nodes);
}

Duration graph_upload_cost(const HostSpec& spec, std::uint64_t nodes) {
  return spec.graph_upload_cost +
         spec.graph_upload_cost_per_node * static_cast<std::int64_t>(nodes);
}

Duration call_cost(const HostSpec& spec, const program::Call& call, std::uint64_t graph_nodes) {
  if (call.cost != program::kModelled) return call.cost;
  switch (call.kind()) {
    case program::CallKind::kCollective:
      return spec.collective_cost;
    case program::CallKind::kLaunchKernel:
      return is_programmatic(call) ? spec.programmatic_launch_cost : spec.launch_cost;
    case program::CallKind::kLaunchGraph:
      return graph_launch_cost(spec, graph_nodes);
    case program::CallKind::kUploadGraph:
      return graph_upload_cost(spec, graph_nodes);
    case program::CallKind::kInstantiateGraph:
      return spec.graph_instantiate_cost +
             spec.graph_instantiate_cost_per_node * static_cast<std::int64_t>(graph_nodes);
    case program::CallKind::kCopy:
      return copy_cost(spec, program::as<program::Copy>(call));
    case program::CallKind::kMemset:
      return copied_by_kernel(spec, call) ? spec.memset_cost : spec.inline_memset_cost;
    case program::CallKind::kRecordEvent:
      return spec.record_cost;
    case program::CallKind::kWaitEvent:
      return spec.wait_cost;
    case program::CallKind::kSynchronizeEvent:
    case program::CallKind::kSynchronizeStream:
    case program::CallKind::kSynchronizeDevice:
      return spec.synchronize_cost;
    case program::CallKind::kApi:
      return spec.api_cost;
    case program::CallKind::kPushItem:
    case program::CallKind::kAwaitItems:
      return spec.queue_access_cost;
    case program::CallKind::kHostWork:
    case program::CallKind::kPost:
    case program::CallKind::kAwait:
    case program::CallKind::kMarker:
    case program::CallKind::kHold:
    case program::CallKind::kScope:
      return Duration(0);
  }
  return Duration(0);
}

}  // namespace septet::host
