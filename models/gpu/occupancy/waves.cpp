#include "models/gpu/occupancy/waves.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::gpu {

Waves waves_of(std::uint64_t blocks, std::uint32_t blocks_per_sm, std::uint32_t sm_count) {
  if (blocks == 0 || blocks_per_sm == 0 || sm_count == 0) {
    throw ModelError(
        fmt::format("waves of {} blocks, {} blocks per SM, {} SMs: each must be at least 1", blocks,
                    blocks_per_sm, sm_count));
  }
  Waves out;
  out.blocks = blocks;
  out.slots = std::uint64_t{blocks_per_sm} * sm_count;
  out.full_waves = blocks / out.slots;
  out.tail_blocks = blocks % out.slots;
  out.waves = static_cast<double>(blocks) / static_cast<double>(out.slots);
  const std::uint64_t rounds = out.full_waves + (out.tail_blocks > 0 ? 1 : 0);
  out.efficiency = out.waves / static_cast<double>(rounds);
  return out;
}

}  // namespace septet::gpu
