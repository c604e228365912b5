// How short kernels are put together.
#pragma once

#include <string>
#include <vector>

#include "models/program/kernel.hpp"

namespace septet {

// Loads or stores in flight together: `requests` warp instructions of `sectors` 32-byte sectors.
MemoryBatch load_batch(double requests, double sectors, double lines, double l2_hit);
MemoryBatch store_batch(double requests, double sectors, double lines, double l2_hit);

// `blocks` is rounded up, at least one.
Kernel rowwise_kernel(std::string name, double blocks, double threads, std::uint32_t registers,
                      std::vector<Segment> segments, double once_cycles, Bytes shared = Bytes(0));

}  // namespace septet
