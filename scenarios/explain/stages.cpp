#include "scenarios/explain/stages.hpp"

#include <algorithm>
#include <numeric>

#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::explain {
namespace {

// Of the time in which an SM is busy, the share that only the conflicts in shared memory cause.
double conflict_share(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const gpu::Occupancy occupancy = occupancy_of(gpu.sm, kernel.shape);
  const std::uint64_t most =
      (kernel.shape.blocks() + gpu.sm_count - 1) / gpu.sm_count;  // on the busiest SM
  const auto blocks = std::min<std::uint64_t>(occupancy.blocks_per_sm, most);
  const double warps = static_cast<double>(blocks * occupancy.warps_per_block);
  double busy = 0;
  double without = 0;
  for (const SegmentDescription& described : kernel.segments) {
    program::Segment segment = described.segment;
    busy += segment.repeat * busy_cycles(gpu.kernel, segment, warps).cycles;
    segment.shared_wavefronts = 0;
    without += segment.repeat * busy_cycles(gpu.kernel, segment, warps).cycles;
  }
  return busy > 0 ? 1.0 - without / busy : 0.0;
}

}  // namespace

Duration StageTimes::total() const { return std::accumulate(of.begin(), of.end(), Duration()); }

Duration submission_time(const gpu::GpuSpec& gpu, const host::HostSpec& host) {
  const gpu::FrontEndSpec& front_end = gpu.front_end;
  return host.launch_cost + front_end.doorbell_latency + front_end.command_interval +
         front_end.launch_latency;
}

StageTimes stage_times(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                       const KernelDescription& kernel, const gpu::KernelTime& time) {
  StageTimes out;
  out[Stage::kSubmission] = submission_time(gpu, host);
  out[Stage::kDistribution] = time.dispatch;
  out[Stage::kCreation] = time.creation;
  out[Stage::kFetch] = time.fetch;
  const Duration issue = std::min(time.issue, scale(time.total, time.issue_use));
  const Duration pipes = time.issue - issue;
  const Duration conflicts = std::min(pipes, scale(time.issue, conflict_share(gpu, kernel)));
  out[Stage::kIssue] = issue;
  out[Stage::kExecution] = pipes - conflicts + time.dependency;
  out[Stage::kMemory] = conflicts + time.memory;
  return out;
}

}  // namespace septet::explain
