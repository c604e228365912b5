// Stage 3: how many blocks of a kernel one SM holds at once, and which resource says so.
//
// A block takes warps, a block slot, registers, shared memory and barriers; the scarcest of them
// decides. Registers are handed out per warp in units of `register_allocation_unit`, and an SM's
// file is split evenly over its sub-cores, so the warps of an SM come in multiples of
// `warp_allocation_granularity`:
//
//   warps a block    W = ceil(threads / 32)
//   registers        G floor(registers / G / up(32 R, unit)) / W      G: the granularity
//   shared memory    carve-out / up(static + dynamic + reserved, unit)
//
// Not modelled: what the blocks then do, and the limits of x, y and z of a grid. Source: CUDA
// programming guide, "Compute capabilities"; checked against the CUDA occupancy calculator on a
// real GPU, row by row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/kernel.hpp"

namespace septet::gpu {

constexpr std::uint32_t kThreadsPerWarp = 32;
constexpr std::uint32_t kMaxBarriersPerBlock = 16;
constexpr std::uint32_t kUnlimited = 0xFFFFFFFFU;  // the kernel takes none of the resource

// In the order in which ties are named: a full SM is full, whatever else runs out with it.
enum class OccupancyLimiter : std::uint8_t {
  kWarps,
  kBlocks,
  kRegisters,
  kSharedMemory,
  kBarriers
};
constexpr auto enum_table(std::type_identity<OccupancyLimiter>) {
  return enum_texts<OccupancyLimiter>("warps", "blocks", "registers", "shared memory", "barriers");
}

struct OccupancyOptions {
  // Shared memory per SM that the kernel asks for, rounded up to a carve-out of the GPU and raised
  // until one block fits. Without a wish the calculator takes the largest carve-out.
  std::optional<Bytes> carveout;
  std::uint32_t barriers = 1;  // barriers that a block uses: as ptxas reports them
};

// Blocks per SM that each resource alone would allow.
struct OccupancyLimits {
  std::uint32_t warps = 0;
  std::uint32_t blocks = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_memory = 0;
  std::uint32_t barriers = 0;

  constexpr bool operator==(const OccupancyLimits&) const = default;
};

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t warps_per_block = 0;
  std::uint32_t warps_per_sm = 0;
  double occupancy = 0.0;  // warps_per_sm / the SM's warp slots
  OccupancyLimiter limiter = OccupancyLimiter::kWarps;
  OccupancyLimits limits;
  std::uint32_t registers_per_block = 0;  // as allocated, rounding included
  Bytes shared_per_block{};               // as allocated, the reserved part included
  Bytes carveout{};                       // shared memory of the SM that blocks may take
};

// Throws ModelError naming the limit and both numbers when not one block can run.
Occupancy occupancy_of(const SmSpec& sm, const program::LaunchShape& shape,
                       const OccupancyOptions& options = {});

// Why not one block can run, or nothing when at least one can. Throws ModelError when the SM's own
// description makes no sense (an allocation unit of zero).
std::optional<std::string> why_impossible(const SmSpec& sm, const program::LaunchShape& shape,
                                          const OccupancyOptions& options = {});

// Every resource that allows no more than blocks_per_sm.
std::vector<OccupancyLimiter> limiters_of(const Occupancy& occupancy);

// The smallest carve-out that holds `needed`; the largest when none does.
Bytes carveout_for(const SmSpec& sm, Bytes needed);

// Steps of the calculation, for those that turn it round (resource_budget.hpp).
std::uint32_t warps_for(std::uint64_t threads);
std::uint32_t max_barriers(const SmSpec& sm);  // of an SM: two for each block slot
// Registers of an SM that are left over when each sub-core holds as many warps as it can.
std::uint32_t unusable_registers(const SmSpec& sm, const program::LaunchShape& shape);
Bytes shared_allocation(const SmSpec& sm, Bytes asked);
Bytes usable_carveout(const SmSpec& sm, Bytes block_allocation, const OccupancyOptions& options);

}  // namespace septet::gpu
