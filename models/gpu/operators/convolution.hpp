// Convolutions as implicit products: rows are output positions, columns output channels, depth
// channels times the filter. Each input element is read from DRAM once; the windows that overlap
// find it in the L2 cache, which `l2_hit` of the product says.
//
// Ignored: Winograd and FFT; layouts that need a transposition first; padding (outputs are as many
// as input positions over the stride). No measured rows test it.
#pragma once

#include "models/gpu/operators/gemm.hpp"

namespace septet {

struct Convolution {
  double images = 1;
  double channels = 1;
  double height = 1;
  double width = 1;
  double filters = 1;
  double filter_height = 1;
  double filter_width = 1;
  double stride = 1;
  DataType type = DataType::kFp16;
  OperandState state;
};

Gemm implicit_gemm(const Convolution& convolution);

}  // namespace septet
