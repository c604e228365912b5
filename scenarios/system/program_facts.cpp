#include "scenarios/system/program_facts.hpp"

#include <algorithm>

#include "models/program/protocol.hpp"

namespace septet::system {
namespace {

std::uint64_t launches_among(std::span<const program::Call> calls) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(calls, program::is_launch, &program::Call::kind));
}

}  // namespace

std::vector<std::uint32_t> queue_devices(const program::Program& program) {
  std::vector<std::uint32_t> devices(program.queues, 0);
  if (program.queues == 0) return devices;
  for (const program::HostThread& thread : program.threads) {
    for (const program::Call& call : calls_of(program, thread)) {
      for (const std::uint32_t queue : queues_served(program, call)) {
        devices[queue] = program.streams[stream_of(thread, call)].device;
      }
    }
  }
  return devices;
}

Duration host_lookahead(const program::Program& program, const gpu::GpuSpec& gpu) {
  return program.queues == 0 ? gpu.front_end.doorbell_latency : program::kStoreLatency;
}

Duration gpu_lookahead(const program::Program& program, const gpu::GpuSpec& gpu) {
  const Duration completion = gpu.front_end.completion_latency;
  if (program.queues == 0) return completion;
  return std::max(Duration(1), std::min(completion, gpu.queue.fence_round_trip / 2));
}

// Calls that many threads share are looked at once.
std::uint64_t launches_of(const program::Program& program) {
  std::vector<std::uint64_t> of_list;
  for (const std::vector<program::Call>& calls : program.call_lists) {
    of_list.push_back(launches_among(calls));
  }
  std::uint64_t launches = 0;
  for (const program::HostThread& thread : program.threads) {
    const bool shared = thread.list != kNone;
    launches += shared ? of_list[thread.list] : launches_among(thread.calls);
  }
  return launches;
}

}  // namespace septet::system
