#include "models/gpu/sm_pool.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet {
namespace {

constexpr std::uint32_t kWarpSize = 32;

template <class T>
T round_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

void check_limit(const Kernel& kernel, const char* what, std::int64_t got, std::int64_t limit) {
  if (got <= limit) return;
  throw ModelError(fmt::format("kernel '{}': {} {} a block, the GPU's SMs hold at most {}",
                               kernel.name, got, what, limit));
}

}  // namespace

BlockNeeds block_needs(const SmSpec& spec, const Kernel& kernel) {
  const LaunchShape& shape = kernel.shape;
  const auto threads = static_cast<std::int64_t>(shape.threads_per_block());
  if (shape.blocks() == 0 || threads == 0) {
    throw ModelError(fmt::format("kernel '{}': no blocks or no threads", kernel.name));
  }
  check_limit(kernel, "threads", threads, spec.max_threads_per_block);
  const auto warps = static_cast<std::uint32_t>((threads + kWarpSize - 1) / kWarpSize);
  const std::uint32_t per_warp =
      round_up(shape.registers_per_thread * kWarpSize, spec.register_allocation_unit);
  // Warps are spread over the SM's sub-cores, each of which owns its share of the registers.
  const std::uint32_t granted = round_up(warps, spec.warp_allocation_granularity);
  check_limit(kernel, "registers", std::int64_t{per_warp} * granted, spec.registers);
  const Bytes asked = shape.static_shared + shape.dynamic_shared;
  check_limit(kernel, "bytes of shared memory", asked.count(), spec.shared_per_block_max.count());
  const std::int64_t shared =
      round_up((asked + spec.shared_reserved_per_block).count(),
               std::max<std::int64_t>(1, spec.shared_allocation_unit.count()));
  return {warps, per_warp * granted, shared};
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
  return sm.blocks < max_blocks_ && sm.warps >= needs.warps && sm.registers >= needs.registers &&
         sm.shared >= needs.shared;
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
                         std::vector<std::uint16_t>& placed) {
  const std::size_t first = placed.size();
  std::uint32_t left = at_level_[level];
  for (std::uint16_t i = 0; left > 0 && placed.size() - first < wanted; ++i) {
    if (sms_[i].blocks != level) continue;
    --left;
    if (fits(sms_[i], needs)) placed.push_back(i);
  }
}

void SmPool::place_layer(const BlockNeeds& needs, std::uint64_t wanted,
                         std::vector<std::uint16_t>& placed) {
  const std::size_t first = placed.size();
  for (std::uint32_t level = 0; level < max_blocks_ && placed.size() - first < wanted; ++level) {
    if (at_level_[level] == 0) continue;
    place_level(level, needs, wanted - (placed.size() - first), placed);
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
