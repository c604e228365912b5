// How short kernels are put together.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/program/kernel.hpp"

namespace septet::gpu {

// Loads or stores in flight together: `requests` warp instructions of `sectors` 32-byte sectors.
program::MemoryBatch load_batch(double requests, double sectors, double lines, double l2_hit);
program::MemoryBatch store_batch(double requests, double sectors, double lines, double l2_hit);

// What each warp does in an iteration, and how often.
program::Segment segment_of(std::initializer_list<std::pair<program::Pipe, double>> instructions,
                            double chain_cycles, std::vector<program::MemoryBatch> batches = {},
                            double repeat = 1);

// `blocks` is rounded up, at least one.
program::Kernel short_kernel(std::string name, double blocks, double threads,
                             std::uint32_t registers, std::vector<program::Segment> segments,
                             double once_cycles, Bytes shared = Bytes(0));

}  // namespace septet::gpu
