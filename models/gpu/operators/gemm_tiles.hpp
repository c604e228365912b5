// The tiles that a library's kernels come in, and the families of kernels.
//
// Tensor memory accelerators copy rows whose strides are multiples of 16 bytes. Other products are
// left to kernels whose threads copy elements themselves and which use the instructions of a warp
// (mma); so are those of GPUs without wgmma. fp32 runs on the FMA pipes.
//
// With wgmma: one side 64, 128, 192 or 256, the other 8 to 256, at most the accumulator's elements
// and three stages in shared memory, either way round. Before: 16 to 256 by 64, 128 or 256, at most
// 32,768 elements.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/operators/gemm.hpp"

namespace septet::gpu {

enum class GemmFamily : std::uint8_t { kLibrary, kElements, kFma };

// The largest power of two up to 16 that divides the strides of operands and output, in bytes.
double alignment_of(const program::Gemm& gemm);
GemmFamily family_of(const program::Gemm& gemm);

std::vector<Tile> library_tiles(const TensorSpec& spec);

// Those of the product's family that are not more than twice as large as the matrix.
std::vector<Tile> sensible_tiles(const TensorSpec& spec, const program::Gemm& gemm);

}  // namespace septet::gpu
