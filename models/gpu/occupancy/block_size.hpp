// Occupancy over the block size, and which block size to take.
//
// The dynamic shared memory is the same for every size. Several sizes often reach the same
// occupancy: the CUDA runtime's suggestion is then the largest, so that is `best`. The smallest of
// them is given too, because smaller blocks leave less of the GPU idle in a grid's last wave and
// wait for fewer warps at a barrier, while larger ones share more data and need fewer dispatches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::gpu {

struct BlockSizePoint {
  std::uint32_t threads = 0;
  std::uint32_t blocks_per_sm = 0;  // 0: a block of this size cannot run
  std::uint32_t threads_per_sm = 0;
  double occupancy = 0.0;
  OccupancyLimiter limiter = OccupancyLimiter::kWarps;  // meaningless where blocks_per_sm is 0
};

// Blocks of 32, 64, ... threads up to `max_threads` (0: up to the GPU's own limit). Only the
// shape's registers and shared memory are looked at.
std::vector<BlockSizePoint> block_size_curve(const SmSpec& sm, const program::LaunchShape& shape,
                                             const OccupancyOptions& options = {},
                                             std::uint32_t max_threads = 0);

struct BlockSizeChoice {
  BlockSizePoint best;                // most resident threads, then the largest block
  std::vector<BlockSizePoint> equal;  // every size that is as good, smallest first; best is last
  std::string why;                    // one sentence for people
};

// Throws ModelError when no block size can run.
BlockSizeChoice suggest_block_size(const SmSpec& sm, const program::LaunchShape& shape,
                                   const OccupancyOptions& options = {},
                                   std::uint32_t max_threads = 0);

}  // namespace septet::gpu
