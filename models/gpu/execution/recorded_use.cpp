#include "models/gpu/execution/recorded_use.hpp"

#include <algorithm>
#include <cmath>

namespace septet::gpu {

RecordedUse recorded_use(double warps, Duration duration) {
  constexpr Duration kStart = 1'600_ns;
  if (duration <= kStart) return {};
  const double moving = 1.0 - ratio(kStart, duration);
  const auto full = [&](double most, double at) {
    return most * moving * (1.0 - std::exp(-warps / at));
  };
  return {full(0.2, 0.1), full(0.3, 0.1), full(0.7, 1.0)};
}

SharedKernel recorded_shared(const GpuSpec& gpu, const RecordedUse& use, double blocks) {
  // Of an iteration in which a warp waits once for memory, and equally long for other things.
  const MemorySpec& memory = gpu.kernel.memory;
  const double period = std::max(1000.0, 2 * memory.dram_latency);
  SharedKernel out;
  out.blocks = blocks;
  out.busy_share = use.issue;
  out.load.dram = use.dram * period;
  out.load.l2 = use.l2 * period;
  out.load.compute = use.issue * period;
  double waiting = 0;
  for (const Queueing& q : queues_of(memory, out.load)) {
    waiting += q.each * queue_length(q.use / period, memory.queue_power);
  }
  out.load.latency = std::max(0.0, period - out.load.compute - waiting);
  out.alone = period_alone(memory, out.load);
  return out;
}

}  // namespace septet::gpu
