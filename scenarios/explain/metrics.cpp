#include "scenarios/explain/metrics.hpp"

#include <algorithm>
#include <cmath>

namespace septet::explain {
namespace {

constexpr double kSectorBytes = 32;

double share(Duration part, Duration whole) {
  return whole > Duration(0) ? ratio(part, whole) : 0.0;
}

// The residence time of a block of such a grid on its SM.
double residence(const gpu::GpuSpec& gpu, const KernelDescription& kernel, std::uint64_t blocks) {
  program::LaunchShape shape = kernel.shape;
  shape.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  const gpu::KernelTime time = kernel_time(gpu, shape, work_of(kernel));
  return to_seconds(time.total - time.dispatch - gpu.kernel.block.ramp);
}

double achieved_occupancy(const gpu::GpuSpec& gpu, const KernelDescription& kernel,
                          const gpu::Occupancy& occupancy, const gpu::KernelTime& time) {
  const std::uint64_t blocks = kernel.shape.blocks();
  const std::uint64_t slots = std::uint64_t{occupancy.blocks_per_sm} * gpu.sm_count;
  if (blocks <= slots) {
    const std::uint64_t used_sms = std::min<std::uint64_t>(blocks, gpu.sm_count);
    return static_cast<double>(blocks * occupancy.warps_per_block) /
           static_cast<double>(used_sms * gpu.sm.max_warps);
  }
  const std::uint64_t rest = blocks % slots;
  double resident = static_cast<double>(blocks - rest) * residence(gpu, kernel, slots);
  if (rest > 0) resident += static_cast<double>(rest) * residence(gpu, kernel, rest);
  const double whole = static_cast<double>(slots) * to_seconds(time.total - gpu.kernel.block.ramp);
  return occupancy.occupancy * std::min(1.0, resident / whole);
}

// Of the cycles of all chains, those at barriers.
double barrier_share(const KernelDescription& kernel) {
  double chain = 0;
  double barrier = 0;
  for (const SegmentDescription& described : kernel.segments) {
    const double iterations = described.segment.repeat;
    chain += iterations * std::max(described.segment.chain_cycles, described.issued());
    barrier += iterations * described.barrier_cycles;
  }
  return chain > 0 ? barrier / chain : 0.0;
}

Stalls stalls_of(const KernelDescription& kernel, const gpu::KernelTime& time) {
  const double own = share(time.dependency, time.total);
  const double barriers = own * barrier_share(kernel);
  const double pipe = std::max(0.0, share(time.issue, time.total) - time.issue_use);
  return {share(time.memory, time.total), barriers, own - barriers, share(time.fetch, time.total),
          pipe};
}

// Asynchronous tensor work is taken as bf16 at full rate.
double operations_of(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  constexpr double kThreads = 32;
  const double of_tensor_cycle = gpu.tensor.bf16_flops / gpu.kernel.issue.schedulers;
  constexpr double kOfMatrix = 2.0 * 16 * 8 * 16;  // one warp's matrix instruction
  double of_warp = 0;
  for (const SegmentDescription& described : kernel.segments) {
    const program::Segment& s = described.segment;
    const double added = s[program::Pipe::kFma] + s[program::Pipe::kFp64] + s[program::Pipe::kImad];
    const double single =
        s[program::Pipe::kAlu] + s[program::Pipe::kInteger] + s[program::Pipe::kSfu];
    of_warp += s.repeat * (kThreads * (2 * added + single) + kOfMatrix * s[program::Pipe::kTensor] +
                           of_tensor_cycle * s.async_tensor_cycles);
  }
  const auto warps = static_cast<double>(gpu::warps_for(kernel.shape.threads_per_block()));
  return of_warp * warps * static_cast<double>(kernel.shape.blocks());
}

// Bytes that loads ask of L1, and that loads and stores ask of L2; and how many hit.
struct HitRates {
  double l1 = 0;
  double l2 = 0;
};

HitRates hit_rates(const KernelDescription& kernel) {
  double l1 = 0;
  double l1_hits = 0;
  double l2 = 0;
  double l2_hits = 0;
  for (const SegmentDescription& described : kernel.segments) {
    for (const AccessDescription& access : described.accesses) {
      const program::MemoryBatch& batch = access.batch;
      const double bytes = described.segment.repeat * batch.requests * batch.sectors * kSectorBytes;
      const double l1_hit = batch.write ? 0.0 : batch.l1_hit;
      if (!batch.write) l1 += bytes;
      l1_hits += bytes * l1_hit;
      l2 += bytes * (1.0 - l1_hit);
      l2_hits += bytes * (1.0 - l1_hit) * batch.l2_hit;
    }
  }
  return {l1 > 0 ? l1_hits / l1 : 0.0, l2 > 0 ? l2_hits / l2 : 0.0};
}

WarpMetrics warps_of(const gpu::GpuSpec& gpu, const KernelDescription& kernel,
                     const gpu::KernelTime& time) {
  const gpu::Occupancy occupancy = occupancy_of(gpu.sm, kernel.shape);
  WarpMetrics out;
  out.limiter = occupancy.limiter;
  out.theoretical_occupancy = occupancy.occupancy;
  out.achieved_occupancy = achieved_occupancy(gpu, kernel, occupancy, time);
  out.blocks_per_sm = occupancy.blocks_per_sm;
  out.active = out.achieved_occupancy * gpu.sm.max_warps / gpu.kernel.issue.schedulers;
  out.issue_slots = std::min(1.0, time.issue_use);
  out.eligible = eligible_warps(out.active, out.issue_slots);
  // Both are means, which need not be of the same schedulers where few have a warp at all.
  out.not_selected =
      out.active > 0 ? std::max(0.0, out.eligible - out.issue_slots) / out.active : 0.0;
  out.l1 = std::min(1.0, time.use.l1);
  out.sm_port = std::min(1.0, time.use.port);
  out.l1_hit = hit_rates(kernel).l1;
  return out;
}

}  // namespace

Bound bound_of(gpu::Bottleneck limiter) {
  switch (limiter) {
    case gpu::Bottleneck::kSharedMemory:
    case gpu::Bottleneck::kL1:
    case gpu::Bottleneck::kSmPort:
    case gpu::Bottleneck::kL2:
    case gpu::Bottleneck::kDram:
      return Bound::kMemory;
    case gpu::Bottleneck::kIssue:
    case gpu::Bottleneck::kPipe:
      return Bound::kCompute;
    case gpu::Bottleneck::kDispatch:
    case gpu::Bottleneck::kFetch:
    case gpu::Bottleneck::kDependency:
    case gpu::Bottleneck::kMemoryLatency:
      return Bound::kLatency;
  }
  return Bound::kLatency;
}

double eligible_warps(double warps, double used) {
  if (warps <= 0) return 0;
  return warps * (1.0 - std::pow(1.0 - std::clamp(used, 0.0, 1.0), 1.0 / warps));
}

Arithmetic arithmetic_of(double operations, double dram_bytes, Duration time) {
  return {operations, operations / std::max(1e-12, to_seconds(time)),
          dram_bytes > 0 ? operations / dram_bytes : 0.0};
}

KernelMetrics metrics_of(const gpu::GpuSpec& gpu, const KernelDescription& kernel,
                         const gpu::KernelTime& time) {
  KernelMetrics out;
  out.kernel_time = time.total;
  out.bound = bound_of(time.limiter);
  out.stalls = stalls_of(kernel, time);
  out.waves = time.waves;
  out.warps = warps_of(gpu, kernel, time);
  out.dram = std::min(1.0, time.use.dram);
  out.l2 = std::min(1.0, time.use.l2);
  out.l2_hit = std::max(0.0, hit_rates(kernel).l2);  // below 0: writes that push others out
  out.memory_throughput = std::max({out.dram, out.l2, out.warps->l1, out.warps->sm_port});
  out.dram_bytes = time.dram_bytes;
  out.dram_bytes_per_second = time.dram_bytes / std::max(1e-12, to_seconds(time.total));
  out.arithmetic = arithmetic_of(operations_of(gpu, kernel), time.dram_bytes, time.total);
  return out;
}

}  // namespace septet::explain
