#include "scenarios/explain/advice.hpp"

#include <algorithm>
#include <optional>

#include "models/gpu/kernel/kernel_time.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "scenarios/explain/stages.hpp"

namespace septet::explain {
namespace {

constexpr double kLeastSpeedup = 1.01;

constexpr Changes (*kKinds[])(const gpu::GpuSpec&, const KernelDescription&) = {
    fewer_registers, less_shared_memory,   other_block_size, more_blocks,       one_wave,
    wider_access,    more_loads_in_flight, dense_access,     no_bank_conflicts, blocking_for_l2,
    prefetch,        shorter_chain,        split_body,       uniform_paths,     warp_primitives};

Duration launch_time(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                     const KernelDescription& kernel) {
  return submission_time(gpu, host) + kernel_time(gpu, kernel.shape, work_of(kernel)).total;
}

std::optional<Advice> fastest(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                              Changes changes) {
  std::optional<Advice> out;
  for (Change& change : changes) {
    if (why_impossible(gpu.sm, change.kernel.shape)) continue;
    const Duration time = launch_time(gpu, host, change.kernel);
    if (!out || time < out->time) out = Advice{std::move(change), time, 1.0};
  }
  return out;
}

}  // namespace

std::vector<Advice> advice_for(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                               const KernelDescription& kernel) {
  const Duration now = launch_time(gpu, host, kernel);
  std::vector<Advice> out;
  for (const auto& kind : kKinds) {
    std::optional<Advice> best = fastest(gpu, host, kind(gpu, kernel));
    if (!best) continue;
    best->speedup = ratio(now, best->time);
    if (best->speedup > kLeastSpeedup) out.push_back(std::move(*best));
  }
  std::ranges::stable_sort(out, std::greater(), &Advice::speedup);
  return out;
}

}  // namespace septet::explain
