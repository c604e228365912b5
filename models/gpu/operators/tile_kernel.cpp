#include "models/gpu/operators/tile_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace septet::gpu {
namespace {

constexpr std::array<Bottleneck, 6> kResources = {Bottleneck::kDependency,   Bottleneck::kPipe,
                                                  Bottleneck::kSharedMemory, Bottleneck::kSmPort,
                                                  Bottleneck::kL2,           Bottleneck::kDram};

// Cycles of one step by resource, in the order of kResources, with `active` SMs at work.
std::array<double, 6> step_parts(const GpuSpec& gpu, const TileKernel& kernel, double active,
                                 double hertz) {
  const PipelineSpec& pipeline = gpu.operators.pipeline;
  const MemorySpec& memory = gpu.kernel.memory;
  const double total = kernel.dram_read + kernel.dram_write;
  const double mix = total > 0 ? 2.0 * std::min(kernel.dram_read, kernel.dram_write) / total : 0.0;
  const double dram_rate = memory.dram_bandwidth.count() * pipeline.dram_share * kernel.dram_share /
                           (1.0 + memory.dram_turnaround * mix) / hertz;
  const double dram_bytes = total / kernel.tiles / kernel.steps;
  return {pipeline.step_cycles,
          kernel.tensor,
          kernel.shared,
          kernel.copy_bytes / pipeline.copy_bytes,
          active * kernel.l2_bytes / memory.l2_bandwidth.count() * hertz,
          active * dram_bytes / dram_rate};
}

double wave_cycles(const GpuSpec& gpu, const TileKernel& kernel, double active, double hertz) {
  const auto [least, tensor, shared, copy, l2, dram] = step_parts(gpu, kernel, active, hertz);
  const double step =
      soft_largest({least, tensor, shared, copy, l2, dram}, gpu.operators.pipeline.overlap_norm);
  return kernel.steps * step + kernel.tile_end_cycles;
}

}  // namespace

OperatorTime pipeline_time(const GpuSpec& gpu, const TileKernel& kernel, Frequency clock) {
  const double hertz = clock.count();
  const double sms = gpu.sm_count;
  const double full = std::floor(kernel.tiles / sms);
  const double rest = kernel.tiles - full * sms;
  double cycles = kernel.start_cycles + kernel.end_cycles;
  if (full > 0) cycles += full * wave_cycles(gpu, kernel, sms, hertz);
  if (rest > 0) cycles += wave_cycles(gpu, kernel, rest, hertz);
  const double blocks = std::min(kernel.tiles, sms);
  const auto parts = step_parts(gpu, kernel, blocks, hertz);
  OperatorTime out;
  out.time = gpu.kernel.block.ramp + cycle_time(cycles, clock) +
             scale(gpu.block_scheduler.block_interval, blocks);
  out.clock = clock;
  out.activity = kernel.activity;
  out.shape = one_block_an_sm(gpu, kernel.tiles);
  const auto slowest = std::max_element(parts.begin(), parts.end()) - parts.begin();
  out.limiter = kResources[static_cast<std::size_t>(slowest)];
  return out;
}

}  // namespace septet::gpu
