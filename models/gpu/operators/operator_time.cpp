#include "models/gpu/operators/operator_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/gpu/kernel/kernel_time.hpp"

namespace septet::gpu {

OperatorTime under_load(const GpuSpec& gpu, const std::function<OperatorTime(Frequency)>& at,
                        const program::LoadHistory& history) {
  OperatorTime full = at(gpu.clock);
  const Duration lasted = history.before + scale(full.time, history.calls);
  const double settled = history.steady ? 1.0 : settled_share(gpu.power, lasted);
  const LoadPower load = load_power(gpu.power, full.activity, full.time);
  const Frequency clock = clock_under(gpu.power, gpu.clock, load, settled);
  return clock < gpu.clock ? at(clock) : full;
}

OperatorTime described_time(const GpuSpec& gpu, const program::Kernel& kernel) {
  const auto& work = std::get<program::InstructionWork>(kernel.work);
  const KernelTime time = kernel_time(gpu, kernel.shape, work);
  OperatorTime out;
  out.time = time.total;
  out.clock = gpu.clock;
  out.limiter = time.limiter;
  out.activity.dram_bytes = time.dram_bytes;
  out.shape = kernel.shape;
  return out;
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
