#include "models/gpu/sm_pool.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/occupancy/occupancy.hpp"

namespace septet {
BlockNeeds block_needs(const SmSpec& spec, const Kernel& kernel) {
  if (const auto reason = why_impossible(spec, kernel.shape)) {
    throw ModelError(fmt::format("kernel '{}': {}", kernel.name, *reason));
  }
  const Occupancy occupancy = occupancy_of(spec, kernel.shape);
  BlockNeeds needs;
  needs.warps = occupancy.warps_per_block;
  needs.registers = occupancy.registers_per_block;
  needs.registers_unusable = unusable_registers(spec, kernel.shape);
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

bool SmPool::fits(const Sm& sm, const BlockNeeds& needs) const {
  return sm.blocks < max_blocks_ && sm.warps >= needs.warps &&
         sm.registers >= needs.registers + needs.registers_unusable && sm.shared >= needs.shared;
}

void SmPool::take(std::uint16_t index, const BlockNeeds& needs) {
  Sm& sm = sms_[index];
  sm.warps -= needs.warps;
  sm.registers -= needs.registers;
  sm.shared -= needs.shared;
  --at_level_[sm.blocks];
  ++at_level_[++sm.blocks];
  ++resident_;
}

void SmPool::place_level(std::uint32_t level, const BlockNeeds& needs, std::uint64_t wanted,
                         std::vector<std::uint16_t>& placed, const SmSet& within) {
  const std::size_t first = placed.size();
  std::uint32_t left = at_level_[level];
  for (std::uint16_t i = 0; left > 0 && placed.size() - first < wanted; ++i) {
    if (sms_[i].blocks != level) continue;
    --left;
    if (!within.empty() && !within[i]) continue;
    if (fits(sms_[i], needs)) placed.push_back(i);
  }
}

void SmPool::place_layer(const BlockNeeds& needs, std::uint64_t wanted,
                         std::vector<std::uint16_t>& placed, const SmSet& within) {
  const std::size_t first = placed.size();
  for (std::uint32_t level = 0; level < max_blocks_ && placed.size() - first < wanted; ++level) {
    if (at_level_[level] == 0) continue;
    place_level(level, needs, wanted - (placed.size() - first), placed, within);
  }
  for (std::size_t i = first; i < placed.size(); ++i) take(placed[i], needs);
}

void SmPool::release(const BlockNeeds& needs, const std::vector<std::uint16_t>& sms) {
  for (const std::uint16_t index : sms) {
    Sm& sm = sms_[index];
    sm.warps += needs.warps;
    sm.registers += needs.registers;
    sm.shared += needs.shared;
    --at_level_[sm.blocks];
    ++at_level_[--sm.blocks];
  }
  resident_ -= sms.size();
}

}  // namespace septet
