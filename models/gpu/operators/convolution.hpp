// Convolutions as implicit products: rows are output positions, columns output channels, depth
// channels times the filter. Each input element is read from DRAM once; the windows that overlap
// find it in the L2 cache, which `l2_hit` of the product says.
//
// Ignored: Winograd and FFT; layouts that need a transposition first; padding (outputs are as many
// as input positions over the stride). No measured rows test it.
#pragma once

#include "models/gpu/operators/gemm.hpp"

namespace septet {

Gemm implicit_gemm(const Convolution& convolution);

}  // namespace septet
