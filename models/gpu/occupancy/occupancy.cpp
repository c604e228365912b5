#include "models/gpu/occupancy/occupancy.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

Bytes shared_asked(const program::LaunchShape& shape) {
  return shape.static_shared + shape.dynamic_shared;
}

Bytes largest_carveout(const SmSpec& sm) {
  const auto largest = std::max_element(sm.shared_carveouts.begin(), sm.shared_carveouts.end());
  return largest == sm.shared_carveouts.end() ? sm.shared_memory : *largest;
}

std::uint32_t registers_per_warp(const SmSpec& sm, const program::LaunchShape& shape) {
  return static_cast<std::uint32_t>(round_up(
      std::int64_t{shape.registers_per_thread} * kThreadsPerWarp, sm.register_allocation_unit));
}

// The hardware checks a block as if each sub-core got the same number of its warps.
std::uint64_t registers_checked(const SmSpec& sm, const program::LaunchShape& shape) {
  const auto warps = static_cast<std::uint64_t>(
      round_up(warps_for(shape.threads_per_block()), sm.warp_allocation_granularity));
  return warps * registers_per_warp(sm, shape);
}

// Warps that the register file of an SM can hold, whatever block they belong to.
std::uint32_t warps_by_registers(const SmSpec& sm, std::uint32_t per_warp) {
  const std::uint32_t per_sub_core = sm.registers / sm.warp_allocation_granularity;
  return per_sub_core / per_warp * sm.warp_allocation_granularity;
}

std::uint32_t register_limit(const SmSpec& sm, const program::LaunchShape& shape) {
  const std::uint32_t per_warp = registers_per_warp(sm, shape);
  if (per_warp == 0) return kUnlimited;
  return warps_by_registers(sm, per_warp) / warps_for(shape.threads_per_block());
}

std::uint32_t shared_limit(Bytes carveout, Bytes per_block) {
  if (per_block.count() == 0) return kUnlimited;
  return static_cast<std::uint32_t>(carveout.count() / per_block.count());
}

std::uint32_t barrier_limit(const SmSpec& sm, std::uint32_t barriers) {
  return barriers == 0 ? kUnlimited : max_barriers(sm) / barriers;
}

struct NamedLimit {
  OccupancyLimiter limiter;
  std::uint32_t blocks;
};

std::array<NamedLimit, 5> named(const OccupancyLimits& limits) {
  return {{{OccupancyLimiter::kWarps, limits.warps},
           {OccupancyLimiter::kBlocks, limits.blocks},
           {OccupancyLimiter::kRegisters, limits.registers},
           {OccupancyLimiter::kSharedMemory, limits.shared_memory},
           {OccupancyLimiter::kBarriers, limits.barriers}}};
}

NamedLimit tightest(const OccupancyLimits& limits) {
  const auto all = named(limits);
  return *std::min_element(all.begin(), all.end(), [](const NamedLimit& a, const NamedLimit& b) {
    return a.blocks < b.blocks;
  });
}

void check_unit(std::int64_t value, const char* name) {
  if (value <= 0) {
    throw ModelError(fmt::format("SM description: {} is {}, wanted at least 1", name, value));
  }
}

void check_sm(const SmSpec& sm) {
  check_unit(sm.max_warps, "max_warps");
  check_unit(sm.max_blocks, "max_blocks");
  check_unit(sm.registers, "registers");
  check_unit(sm.register_allocation_unit, "register_allocation_unit");
  check_unit(sm.warp_allocation_granularity, "warp_allocation_granularity");
  check_unit(sm.shared_allocation_unit.count(), "shared_allocation_unit");
}

bool any_zero(const program::Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

// Each side alone is compared first, because the product of three absurd ones would overflow.
bool exceeds(const program::Dim3& d, std::uint64_t most) {
  return d.x > most || d.y > most || d.z > most || d.volume() > most;
}

std::optional<std::string> threads_refusal(const SmSpec& sm, const program::LaunchShape& shape) {
  const program::Dim3& block = shape.block;
  if (any_zero(shape.grid)) return "the grid has 0 blocks, wanted at least 1";
  if (any_zero(block)) return "a block has 0 threads, wanted at least 1";
  if (exceeds(block, sm.max_threads_per_block)) {
    return fmt::format("a block has {} x {} x {} threads, the limit is {}", block.x, block.y,
                       block.z, sm.max_threads_per_block);
  }
  const std::uint32_t warps = warps_for(block.volume());
  if (warps <= sm.max_warps) return std::nullopt;
  return fmt::format("a block has {} warps, an SM holds {}", warps, sm.max_warps);
}

std::optional<std::string> register_refusal(const SmSpec& sm, const program::LaunchShape& shape) {
  if (shape.registers_per_thread > sm.max_registers_per_thread) {
    return fmt::format("a thread has {} registers, the limit is {}", shape.registers_per_thread,
                       sm.max_registers_per_thread);
  }
  const std::uint64_t checked = registers_checked(sm, shape);
  if (checked <= sm.registers) return std::nullopt;
  return fmt::format(
      "a block of {} threads with {} registers each takes {} registers, an SM has {}",
      shape.threads_per_block(), shape.registers_per_thread, checked, sm.registers);
}

std::optional<std::string> shared_refusal(const SmSpec& sm, const program::LaunchShape& shape) {
  if (shape.static_shared.count() < 0 || shape.dynamic_shared.count() < 0) {
    return fmt::format(
        "shared memory is {} bytes static and {} bytes dynamic, neither may be "
        "negative",
        shape.static_shared.count(), shape.dynamic_shared.count());
  }
  // Compared one after the other, because the sum of two absurd sizes would overflow.
  const Bytes most = sm.shared_per_block_max;
  if (shape.static_shared > most || shape.dynamic_shared > most || shared_asked(shape) > most) {
    return fmt::format(
        "a block takes {} bytes of static and {} bytes of dynamic shared memory, the "
        "limit is {} bytes",
        shape.static_shared.count(), shape.dynamic_shared.count(), most.count());
  }
  const Bytes allocated = shared_allocation(sm, shared_asked(shape));
  if (allocated <= largest_carveout(sm)) return std::nullopt;
  return fmt::format(
      "a block takes {} bytes of shared memory including the reserved part, an SM has {}",
      allocated.count(), largest_carveout(sm).count());
}

std::optional<std::string> option_refusal(const SmSpec& sm, const OccupancyOptions& options) {
  const std::uint32_t most = std::min(kMaxBarriersPerBlock, max_barriers(sm));
  if (options.barriers > most) {
    return fmt::format("a block uses {} barriers, the limit is {}", options.barriers, most);
  }
  const Bytes largest = largest_carveout(sm);
  if (options.carveout && (options.carveout->count() < 0 || *options.carveout > largest)) {
    return fmt::format("a carve-out of {} bytes is requested, an SM has {}",
                       options.carveout->count(), largest.count());
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t warps_for(std::uint64_t threads) {
  return static_cast<std::uint32_t>((threads + kThreadsPerWarp - 1) / kThreadsPerWarp);
}

std::uint32_t max_barriers(const SmSpec& sm) { return 2 * sm.max_blocks; }

Bytes carveout_for(const SmSpec& sm, Bytes needed) {
  Bytes best = largest_carveout(sm);
  for (const Bytes carveout : sm.shared_carveouts) {
    if (carveout >= needed) best = std::min(best, carveout);
  }
  return best;
}

std::uint32_t unusable_registers(const SmSpec& sm, const program::LaunchShape& shape) {
  const std::uint32_t per_warp = registers_per_warp(sm, shape);
  if (per_warp == 0) return 0;
  return sm.registers - warps_by_registers(sm, per_warp) * per_warp;
}

Bytes shared_allocation(const SmSpec& sm, Bytes asked) {
  return Bytes(
      round_up((asked + sm.shared_reserved_per_block).count(), sm.shared_allocation_unit.count()));
}

Bytes usable_carveout(const SmSpec& sm, Bytes block_allocation, const OccupancyOptions& options) {
  const Bytes wish = options.carveout.value_or(largest_carveout(sm));
  return carveout_for(sm, std::max(wish, block_allocation));
}

std::optional<std::string> why_impossible(const SmSpec& sm, const program::LaunchShape& shape,
                                          const OccupancyOptions& options) {
  check_sm(sm);
  if (auto reason = threads_refusal(sm, shape)) return reason;
  if (auto reason = register_refusal(sm, shape)) return reason;
  if (auto reason = shared_refusal(sm, shape)) return reason;
  return option_refusal(sm, options);
}

Occupancy occupancy_of(const SmSpec& sm, const program::LaunchShape& shape,
                       const OccupancyOptions& options) {
  if (const auto reason = why_impossible(sm, shape, options)) throw ModelError(*reason);
  Occupancy result;
  result.warps_per_block = warps_for(shape.threads_per_block());
  result.registers_per_block = result.warps_per_block * registers_per_warp(sm, shape);
  result.shared_per_block = shared_allocation(sm, shared_asked(shape));
  result.carveout = usable_carveout(sm, result.shared_per_block, options);
  result.limits = {sm.max_warps / result.warps_per_block, sm.max_blocks, register_limit(sm, shape),
                   shared_limit(result.carveout, result.shared_per_block),
                   barrier_limit(sm, options.barriers)};
  const NamedLimit limit = tightest(result.limits);
  SEPTET_ASSERT(limit.blocks > 0);
  result.limiter = limit.limiter;
  result.blocks_per_sm = limit.blocks;
  result.warps_per_sm = result.blocks_per_sm * result.warps_per_block;
  result.occupancy = static_cast<double>(result.warps_per_sm) / sm.max_warps;
  return result;
}

std::vector<OccupancyLimiter> limiters_of(const Occupancy& occupancy) {
  std::vector<OccupancyLimiter> out;
  for (const NamedLimit& limit : named(occupancy.limits)) {
    if (limit.blocks <= occupancy.blocks_per_sm) out.push_back(limit.limiter);
  }
  return out;
}

}  // namespace septet::gpu
