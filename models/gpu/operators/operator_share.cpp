#include "models/gpu/operators/operator_share.hpp"

#include <algorithm>

namespace septet::gpu {

SharedKernel operator_share(const GpuSpec& gpu, const OperatorTime& time) {
  constexpr double kMostUse = 0.98;    // of DRAM or L2, whatever the bytes say
  constexpr double kPipelined = 0.75;  // of shared memory: tiles in flight
  constexpr double kLeastOwn = 0.02;   // of the time
  const MemorySpec& memory = gpu.kernel.memory;
  const double cycles = std::max(1.0, to_seconds(time.time) * gpu.clock.count());
  const auto use = [&](double bytes, ByteRate rate) {
    return std::min(kMostUse * cycles, bytes / rate.count() * gpu.clock.count());
  };
  SharedKernel out;
  out.blocks = std::min(static_cast<double>(time.shape.blocks()), double{1} * gpu.sm_count);
  out.load.dram = use(time.activity.dram_bytes, memory.dram_bandwidth);
  out.load.l2 = use(time.activity.l2_bytes, memory.l2_bandwidth);
  const double in_flight =
      kPipelined * static_cast<double>(gpu.sm.shared_per_block_max.count()) * out.blocks;
  const double moved = std::max(time.activity.dram_bytes, time.activity.l2_bytes);
  out.load.waits = in_flight > 0 ? std::max(1.0, moved / in_flight) : 1.0;
  double waiting = 0;
  for (const Queueing& q : queues_of(memory, out.load)) {
    if (q.use > 0) waiting += q.each * queue_length(q.use / cycles, memory.queue_power);
  }
  out.load.latency = std::max(kLeastOwn * cycles, cycles - waiting);
  out.alone = period_alone(memory, out.load);
  return out;
}

}  // namespace septet::gpu
