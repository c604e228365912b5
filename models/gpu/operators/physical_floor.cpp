#include "models/gpu/operators/physical_floor.hpp"

#include <algorithm>

#include "models/gpu/operators/tensor_rate.hpp"
#include "models/program/operators/operator_kinds.hpp"

namespace septet::gpu {
namespace {

double arithmetic_seconds(const GpuSpec& gpu, const program::Operator& what, Frequency clock) {
  const double operations = operations_of(what);
  if (operations == 0) return 0;
  return operations / (peak_rate(gpu.tensor, type_of(what)) * gpu.sm_count * clock.count());
}

double memory_seconds(const GpuSpec& gpu, const program::Operator& what) {
  if (gpu.memory_bandwidth.count() <= 0) return 0;  // not known
  const double written = bytes_written(what);
  const double read = bytes_of_call(what) - written;
  const auto cache = static_cast<double>(gpu.l2.count());
  const double bytes = read * (1 - state_of(what).l2_hit) + std::max(0.0, written - cache);
  return bytes / gpu.memory_bandwidth.count();
}

}  // namespace

Duration physical_floor(const GpuSpec& gpu, const program::Operator& what, Frequency clock) {
  const double seconds = std::max(arithmetic_seconds(gpu, what, clock), memory_seconds(gpu, what));
  return std::max(gpu.kernel.block.ramp, from_seconds(seconds));
}

}  // namespace septet::gpu
