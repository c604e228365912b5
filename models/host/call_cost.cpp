#include "models/host/call_cost.hpp"

#include <algorithm>

namespace septet {
namespace {

std::int64_t further_nodes(const HostSpec& spec, std::uint64_t nodes) {
  const auto free = static_cast<std::int64_t>(spec.graph_nodes_free);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(nodes) - free);
}

// Small host data travel inside the command, written by the CPU; pageable memory is staged by the
// CPU; everything else is fetched by the copy engine while the CPU goes on.
Duration copy_cost(const HostSpec& spec, const Copy& copy) {
  if (copy.direction == CopyDirection::kDeviceToDevice) return spec.device_copy_cost;
  const bool inlined =
      copy.direction == CopyDirection::kHostToDevice && copy.bytes <= spec.inline_copy_max;
  if (inlined) return spec.inline_copy_cost + transfer_time(copy.bytes, spec.inline_copy_rate);
  if (copy.pinned) return spec.copy_cost;
  if (copy.direction == CopyDirection::kDeviceToHost) {
    return spec.copy_cost + transfer_time(copy.bytes, spec.pageable_read_rate);
  }
  const bool cached = copy.bytes <= spec.pageable_cached_max;
  const ByteRate rate = cached ? spec.pageable_cached_rate : spec.pageable_copy_rate;
  return spec.copy_cost + transfer_time(copy.bytes, rate);
}

}  // namespace

bool copied_by_kernel(const HostSpec& spec, const Call& call) {
  if (const auto* memset = get_if<Memset>(call)) return memset->bytes > spec.inline_memset_max;
  const auto* copy = get_if<Copy>(call);
  return copy != nullptr && copy->direction == CopyDirection::kDeviceToDevice;
}

Duration graph_launch_cost(const HostSpec& spec, std::uint64_t nodes) {
  return spec.graph_launch_cost + spec.graph_launch_cost_per_node * further_nodes(spec, nodes);
}

Duration graph_upload_cost(const HostSpec& spec, std::uint64_t nodes) {
  return spec.graph_upload_cost +
         spec.graph_upload_cost_per_node * static_cast<std::int64_t>(nodes);
}

Duration call_cost(const HostSpec& spec, const Call& call, std::uint64_t graph_nodes) {
  if (call.cost != kModelled) return call.cost;
  switch (call.kind()) {
    case CallKind::kCollective:
      return spec.collective_cost;
    case CallKind::kLaunchKernel:
      return is_programmatic(call) ? spec.programmatic_launch_cost : spec.launch_cost;
    case CallKind::kLaunchGraph:
      return graph_launch_cost(spec, graph_nodes);
    case CallKind::kUploadGraph:
      return graph_upload_cost(spec, graph_nodes);
    case CallKind::kInstantiateGraph:
      return spec.graph_instantiate_cost +
             spec.graph_instantiate_cost_per_node * static_cast<std::int64_t>(graph_nodes);
    case CallKind::kCopy:
      return copy_cost(spec, as<Copy>(call));
    case CallKind::kMemset:
      return copied_by_kernel(spec, call) ? spec.memset_cost : spec.inline_memset_cost;
    case CallKind::kRecordEvent:
      return spec.record_cost;
    case CallKind::kWaitEvent:
      return spec.wait_cost;
    case CallKind::kSynchronizeEvent:
    case CallKind::kSynchronizeStream:
    case CallKind::kSynchronizeDevice:
      return spec.synchronize_cost;
    case CallKind::kApi:
      return spec.api_cost;
    case CallKind::kPushItem:
    case CallKind::kAwaitItems:
      return spec.queue_access_cost;
    case CallKind::kHostWork:
    case CallKind::kPost:
    case CallKind::kAwait:
    case CallKind::kMarker:
      return Duration(0);
  }
  return Duration(0);
}

}  // namespace septet
