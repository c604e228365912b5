// The tiles that a library's kernels come in.
//
// With wgmma: one side 64, 128, 192 or 256, the other 8 to 256, at most the accumulator's elements
// and three stages in shared memory, either way round. Before: 16 to 256 by 64, 128 or 256, at most
// 32,768 elements.
#pragma once

#include <vector>

#include "models/gpu/operators/gemm.hpp"

namespace septet::gpu {

std::vector<Tile> library_tiles(const TensorSpec& spec);

// Those that are not more than twice as large as the matrix.
std::vector<Tile> sensible_tiles(const TensorSpec& spec, const program::Gemm& gemm);

}  // namespace septet::gpu
