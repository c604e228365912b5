#include "models/gpu/occupancy/resource_budget.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

// What a block may ask for when `blocks` share this carve-out; nothing when the reserved part alone
// is more, or when blocks of that size would be given a smaller carve-out.
std::optional<Bytes> share_of(const SmSpec& sm, Bytes carveout, std::uint32_t blocks,
                              const OccupancyOptions& options) {
  const std::int64_t unit = sm.shared_allocation_unit.count();
  const Bytes allocation(carveout.count() / blocks / unit * unit);
  const Bytes share = std::min(allocation - sm.shared_reserved_per_block, sm.shared_per_block_max);
  if (share.count() < 0) return std::nullopt;
  const Bytes taken = shared_allocation(sm, share);
  if (usable_carveout(sm, taken, options) < taken * blocks) return std::nullopt;
  return share;
}

// Fills in what must shrink; false when shrinking alone cannot reach the target.
bool fill_target(const SmSpec& sm, const program::LaunchShape& shape,
                 const OccupancyOptions& options, const Occupancy& now, BlockTarget& target) {
  if (now.limits.registers < target.blocks) {
    target.registers = max_registers_for(sm, shape.threads_per_block(), target.blocks);
    if (!target.registers) return false;
  }
  if (now.limits.shared_memory < target.blocks) {
    target.shared = max_shared_for(sm, target.blocks, options);
    if (!target.shared) return false;
  }
  return true;
}

bool same_needs(const BlockTarget& a, const BlockTarget& b) {
  return a.registers == b.registers && a.shared == b.shared;
}

}  // namespace

std::optional<std::uint32_t> max_registers_for(const SmSpec& sm, std::uint64_t threads,
                                               std::uint32_t blocks) {
  if (threads == 0 || threads > sm.max_threads_per_block || blocks == 0) return std::nullopt;
  const std::uint64_t warps = std::uint64_t{blocks} * warps_for(threads);
  if (blocks > sm.max_blocks || warps > sm.max_warps) return std::nullopt;
  const std::uint64_t sub_cores = sm.warp_allocation_granularity;
  const std::uint64_t warps_per_sub_core = (warps + sub_cores - 1) / sub_cores;
  const std::uint64_t per_warp = sm.registers / sub_cores / warps_per_sub_core;
  const std::uint64_t unit = sm.register_allocation_unit;
  const auto per_thread = static_cast<std::uint32_t>(per_warp / unit * unit / kThreadsPerWarp);
  if (per_thread == 0) return std::nullopt;
  return std::min(per_thread, sm.max_registers_per_thread);
}

std::optional<Bytes> max_shared_for(const SmSpec& sm, std::uint32_t blocks,
                                    const OccupancyOptions& options) {
  if (blocks == 0) return std::nullopt;
  std::optional<Bytes> most = share_of(sm, sm.shared_memory, blocks, options);
  for (const Bytes carveout : sm.shared_carveouts) {
    most = std::max(most, share_of(sm, carveout, blocks, options));
  }
  return most;
}

std::vector<BlockTarget> next_targets(const SmSpec& sm, const program::LaunchShape& shape,
                                      const OccupancyOptions& options, std::size_t count) {
  const Occupancy now = occupancy_of(sm, shape, options);
  const std::uint32_t most = std::min({now.limits.warps, now.limits.blocks, now.limits.barriers});
  std::vector<BlockTarget> out;
  for (std::uint32_t blocks = now.blocks_per_sm + 1; blocks <= most; ++blocks) {
    BlockTarget target{blocks, static_cast<double>(blocks * now.warps_per_block) / sm.max_warps,
                       std::nullopt, std::nullopt};
    if (!fill_target(sm, shape, options, now, target)) break;
    if (!out.empty() && same_needs(out.back(), target)) out.pop_back();
    if (out.size() == count) break;
    out.push_back(target);
  }
  return out;
}

FreeRoom free_room(const SmSpec& sm, const program::LaunchShape& shape,
                   const OccupancyOptions& options) {
  const Occupancy now = occupancy_of(sm, shape, options);
  const auto registers = max_registers_for(sm, shape.threads_per_block(), now.blocks_per_sm);
  const auto shared = max_shared_for(sm, now.blocks_per_sm, options);
  SEPTET_ASSERT(registers && shared);
  return {*registers, *shared};
}

}  // namespace septet::gpu
