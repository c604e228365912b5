#include "models/gpu/operators/operator_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/gpu/kernel/kernel_time.hpp"

namespace septet::gpu {

OperatorTime under_load(const GpuSpec& gpu, const std::function<OperatorTime(Frequency)>& at,
                        const program::LoadHistory& history) {
  OperatorTime full = at(gpu.clock);
  const Duration lasted = history.before + scale(full.time, history.calls);
  const double settled = history.steady ? 1.0 : settled_share(gpu.power, lasted);
  if (settled <= 0) return full;
  const auto load = [&](Frequency clock) {
    const OperatorTime time = clock == gpu.clock ? full : at(clock);
    return load_power(gpu.power, time.activity, time.time);
  };
  const Frequency sustained = sustained_clock(gpu.power, gpu.clock, load);
  return sustained < gpu.clock ? at(gpu.clock - (gpu.clock - sustained) * settled) : full;
}

Activity activity_of(const program::Kernel& kernel, double dram_bytes) {
  constexpr double kLanes = 32;
  constexpr double kSector = 32;
  constexpr double kMmaFlops = 2 * 16 * 8 * 16;
  const double warps = static_cast<double>(kernel.shape.blocks()) *
                       std::ceil(static_cast<double>(kernel.shape.threads_per_block()) / kLanes);
  Activity out;
  out.dram_bytes = dram_bytes;
  for (const program::Segment& segment : std::get<program::InstructionWork>(kernel.work).segments) {
    const double times = segment.repeat * warps;
    const double issued =
        std::accumulate(segment.instructions.begin(), segment.instructions.end(), 0.0);
    out.instructions += times * issued * kLanes;
    out.flops += times * segment[program::Pipe::kTensor] * kMmaFlops;
    for (const program::MemoryBatch& batch : segment.batches) {
      const double bytes =
          batch.bytes_below_l1 > 0 ? batch.bytes_below_l1 : batch.sectors * kSector;
      out.l2_bytes += times * batch.times * batch.requests * (1 - batch.l1_hit) * bytes;
    }
  }
  return out;
}

OperatorTime described_time(const GpuSpec& gpu, const program::Kernel& kernel) {
  const auto& work = std::get<program::InstructionWork>(kernel.work);
  const KernelTime time = kernel_time(gpu, kernel.shape, work);
  OperatorTime out;
  out.time = time.total;
  out.clock = gpu.clock;
  out.limiter = time.limiter;
  out.activity = activity_of(kernel, time.dram_bytes);
  out.shape = kernel.shape;
  return out;
}

OperatorTime described_time(const GpuSpec& gpu, const program::Kernel& kernel,
                            const program::LoadHistory& history) {
  const auto at = [&](Frequency clock) {
    GpuSpec slower = gpu;
    slower.clock = clock;
    return described_time(slower, kernel);
  };
  return under_load(gpu, at, history);
}

program::LaunchShape one_block_an_sm(const GpuSpec& gpu, double blocks) {
  constexpr double kMostBlocks = std::numeric_limits<std::int32_t>::max();
  program::LaunchShape out;
  out.grid.x = static_cast<std::uint32_t>(std::clamp(blocks, 1.0, kMostBlocks));
  out.block.x = 384;  // one warp group copies, two compute
  out.registers_per_thread = 168;
  out.dynamic_shared = gpu.sm.shared_per_block_max;
  return out;
}

double soft_largest(std::initializer_list<double> values, double norm) {
  const double most = std::max(values);
  if (most <= 0) return 0;
  double sum = 0;
  for (const double value : values) sum += std::pow(value / most, norm);
  return most * std::pow(sum, 1.0 / norm);
}

}  // namespace septet::gpu
