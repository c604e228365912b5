// How short kernels are put together.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/gpu/operators/operator_time.hpp"
#include "models/program/kernel.hpp"
#include "models/program/operator_work.hpp"

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

// Kernels of one stream, each behind the one before it: their times and the gaps between them, with
// the activity of all and the shape of the longest.
OperatorTime one_after_another(const GpuSpec& gpu, std::initializer_list<OperatorTime> times);

// Blocks that fill the SMs once, at most `most`.
double resident_blocks(const GpuSpec& gpu, const program::Kernel& kernel, double most);

// Softmax, or its logarithm, of rows that no shared memory holds: a block of 1,024 threads a row
// looks for the largest, adds up, and writes, 16 bytes of a thread at a time. The L2 cache keeps
// the rows in work as far as they fit.
program::Kernel rows_read_thrice(const GpuSpec& gpu, std::string name, const program::Rowwise& what,
                                 double output_hit);

// Zeros written over `bytes`.
OperatorTime clear_time(const GpuSpec& gpu, double bytes);

}  // namespace septet::gpu
