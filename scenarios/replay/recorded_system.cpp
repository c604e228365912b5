#include "scenarios/replay/recorded_system.hpp"

#include <algorithm>

namespace septet::replay {
namespace {

// Part of a latency that is left after `taken` of it.
Duration rest(Duration whole, Duration taken) { return std::max(Duration(0), whole - taken); }

}  // namespace

system::SystemSpec recorded_system(const system::SystemSpec& profile,
                                   const recorded::RecordedLatencies& latencies) {
  system::SystemSpec system = profile;
  gpu::FrontEndSpec& front = system.gpu.front_end;
  const Duration way =
      std::min({front.doorbell_latency, latencies.launch.value, latencies.copy.value,
                latencies.memset.value, latencies.graph_launch.value});
  front.doorbell_latency = std::max(way, Duration(1));
  front.launch_latency = rest(latencies.launch.value, way);
  front.copy_launch_latency = rest(latencies.copy.value, way);
  front.memset_launch_latency = rest(latencies.memset.value, way);
  front.graph_launch_latency = rest(latencies.graph_launch.value, way);
  front.stream_gap = latencies.stream_gap.value;
  front.graph_gap = latencies.graph_gap.value;
  front.event_wait_latency = front.stream_gap;  // the recording shows one gap for both
  front.event_poll_interval = Duration(0);
  front.launch_latency_per_connection = Duration(0);
  front.record_latency = Duration(0);
  front.engine_hop = Duration(0);
  front.command_interval = Duration(0);
  if (latencies.node_gap.measured) {
    front.graph_node_gap = latencies.node_gap.value;
    front.graph_node_interval = Duration(0);  // the recording's edges carry the order of nodes
    front.graph_fork_interval = Duration(0);
    front.graph_fan_gap = Duration(0);
  }
  front.completion_latency =
      std::max(std::min(front.completion_latency, latencies.wake.value), Duration(1));
  system.host.wake_latency = rest(latencies.wake.value, front.completion_latency);
  system.host.driver_lock_time = Duration(0);
  system.host.lock_handover = Duration(0);
  return system;
}

}  // namespace septet::replay
