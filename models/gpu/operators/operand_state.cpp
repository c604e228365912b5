#include "models/gpu/operators/operand_state.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/memory.hpp"

namespace septet::gpu {

double cold_writes(const GpuSpec& gpu, double read, double written) {
  const auto l2 = static_cast<double>(gpu.kernel.memory.l2_capacity.count());
  const double replaced = l2 * (1.0 - std::exp(-(read + written) / l2));
  const double kept = l2 * (1.0 - std::exp(-written / l2));
  return gpu.operators.pipeline.dirty_share * replaced + std::max(0.0, written - kept);
}

double write_hit(const GpuSpec& gpu, const program::OperandState& state, double read,
                 double written) {
  if (written <= 0) return 1;
  if (state.l2_dirty) return 1.0 - cold_writes(gpu, read, written) / written;
  return state.output_stays ? 1.0 : 0.0;
}

double replayed_hit(const GpuSpec& gpu, double bytes) {
  const Bytes l2 = gpu.kernel.memory.l2_capacity;
  return cyclic_hit(l2 * 80 / 100, l2 * 25 / 100, bytes);
}

program::OperandState replayed_state(const GpuSpec& gpu, double bytes) {
  constexpr double kMostlyKept = 0.5;
  const double hit = replayed_hit(gpu, bytes);
  return {.l2_hit = hit, .output_stays = hit > kMostlyKept};
}

}  // namespace septet::gpu
