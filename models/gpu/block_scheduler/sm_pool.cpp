#include "models/gpu/block_scheduler/sm_pool.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::gpu {
BlockNeeds block_needs(const SmSpec& spec, const program::Kernel& kernel) {
  if (const auto reason = why_impossible(spec, kernel.shape)) {
    throw ModelError(fmt::format("kernel '{}': {}", kernel.name, *reason));
  }
  return block_needs(spec, kernel.shape);
}

BlockNeeds block_needs(const SmSpec& spec, const program::LaunchShape& shape) {
  const Occupancy occupancy = occupancy_of(spec, shape);
  BlockNeeds needs;
  needs.warps = occupancy.warps_per_block;
  needs.registers = occupancy.registers_per_block;
  needs.registers_unusable = unusable_registers(spec, shape);
  needs.shared = occupancy.shared_per_block.count();
  return needs;
}

SmPool::SmPool(const SmSpec& spec, std::uint32_t sm_count) : max_blocks_(spec.max_blocks) {
  Sm empty;
  empty.warps = spec.max_warps;
  empty.registers = spec.registers;
  empty.shared = spec.shared_memory.count();
  sms_.assign(sm_count, empty);
  at_level_.assign(spec.max_blocks + 1, 0);
  at_level_[0] = sm_count;
}

inline bool SmPool::fits(const Sm& sm, const BlockNeeds& needs) const {
  return sm.blocks < max_blocks_ && sm.warps >= needs.warps &&
         sm.registers >= needs.registers + needs.registers_unusable && sm.shared >= needs.shared;
}

// Neighbours in `sms` mostly have the same level, so levels are counted in runs of equal ones:
// updating a counter per SM would make each update wait for the previous one.
template <class Change>
void SmPool::change(std::span<const std::uint16_t> sms, int step, Change change_room) {
  std::uint32_t level = 0;  // of the run
  std::uint32_t run = 0;
  const auto close_run = [&] {
    if (run == 0) return;
    at_level_[level] -= run;
    at_level_[level + static_cast<std::uint32_t>(step)] += run;
    run = 0;
  };
  for (const std::uint16_t index : sms) {
    Sm& sm = sms_[index];
    if (sm.blocks != level) close_run();
    level = sm.blocks;
    ++run;
    sm.blocks = level + static_cast<std::uint32_t>(step);
    change_room(sm);
  }
  close_run();
}

void SmPool::place_level(std::uint32_t level, const BlockNeeds& needs, std::uint64_t wanted,
                         std::vector<std::uint16_t>& placed, const SmSet& within) {
  std::uint32_t left = at_level_[level];
  std::size_t count = placed.size();
  const std::size_t most = count + std::min<std::uint64_t>(wanted, left);
  placed.resize(most);
  for (std::uint16_t i = 0; left > 0 && count < most; ++i) {
    const Sm& sm = sms_[i];
    if (sm.blocks != level) continue;
    --left;
    if (!within.empty() && !within[i]) continue;
    if (fits(sm, needs)) placed[count++] = i;
  }
  placed.resize(count);
}

void SmPool::place_layer(const BlockNeeds& needs, std::uint64_t wanted,
                         std::vector<std::uint16_t>& placed, const SmSet& within) {
  const std::size_t first = placed.size();
  for (std::uint32_t level = 0; level < max_blocks_ && placed.size() - first < wanted; ++level) {
    if (at_level_[level] == 0) continue;
    place_level(level, needs, wanted - (placed.size() - first), placed, within);
  }
  const auto taken = std::span<const std::uint16_t>(placed).subspan(first);
  change(taken, 1, [&needs](Sm& sm) {
    sm.warps -= needs.warps;
    sm.registers -= needs.registers;
    sm.shared -= needs.shared;
  });
  resident_ += taken.size();
}

void SmPool::release(const BlockNeeds& needs, std::span<const std::uint16_t> sms) {
  change(sms, -1, [&needs](Sm& sm) {
    sm.warps += needs.warps;
    sm.registers += needs.registers;
    sm.shared += needs.shared;
  });
  resident_ -= sms.size();
}

}  // namespace septet::gpu
