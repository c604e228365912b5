// The occupancy calculation turned round: what may a block take so that N of them share an SM?
//
// Answers three questions: what __launch_bounds__(threads, blocks) leaves each thread, what must
// shrink for one block more, and how much a kernel may grow for free. Says nothing about spills or
// speed: more blocks help only while latency is what a kernel waits for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::gpu {

// The most registers per thread with which `blocks` blocks of `threads` threads share an SM; this
// is where the compiler stops under __launch_bounds__(threads, blocks). Nothing when the SM has too
// few warp or block slots, or too few registers even at the smallest allocation.
std::optional<std::uint32_t> max_registers_for(const SmSpec& sm, std::uint64_t threads,
                                               std::uint32_t blocks);

// The most static and dynamic shared memory of a block with which `blocks` of them share an SM.
std::optional<Bytes> max_shared_for(const SmSpec& sm, std::uint32_t blocks,
                                    const OccupancyOptions& options = {});

// What a kernel would have to give up for `blocks` blocks per SM.
struct BlockTarget {
  std::uint32_t blocks = 0;
  double occupancy = 0.0;
  std::optional<std::uint32_t> registers;  // at most; only where today's kernel takes more
  std::optional<Bytes> shared;             // at most, static and dynamic; likewise
};

// The next targets above today's occupancy, at most `count` of them; where the same savings let in
// more blocks, only the most blocks. Empty when block slots, warps
// or barriers stand in the way, which no saving of registers or shared memory changes.
std::vector<BlockTarget> next_targets(const SmSpec& sm, const program::LaunchShape& shape,
                                      const OccupancyOptions& options = {}, std::size_t count = 3);

// How far the kernel may grow without losing a block.
struct FreeRoom {
  std::uint32_t registers = 0;  // per thread, in all
  Bytes shared{};               // per block, static and dynamic, in all
};
FreeRoom free_room(const SmSpec& sm, const program::LaunchShape& shape,
                   const OccupancyOptions& options = {});

}  // namespace septet::gpu
