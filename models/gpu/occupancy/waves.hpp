// A grid cut into waves: as many blocks as the GPU holds at once, again and again.
//
// The count assumes that blocks take equally long and that the GPU is empty; the block scheduler's
// simulation of blocks needs neither.
#pragma once

#include <cstdint>

namespace septet::gpu {

struct Waves {
  std::uint64_t blocks = 0;
  std::uint64_t slots = 0;        // blocks that the GPU holds at once
  std::uint64_t full_waves = 0;   // waves that fill every slot
  std::uint64_t tail_blocks = 0;  // blocks of the last, partial wave; 0: there is none
  double waves = 0.0;             // blocks / slots
  // Share of the slots' time that blocks use: waves / (waves rounded up).
  double efficiency = 0.0;
};

// Throws ModelError when any of the three is zero.
Waves waves_of(std::uint64_t blocks, std::uint32_t blocks_per_sm, std::uint32_t sm_count);

}  // namespace septet::gpu
