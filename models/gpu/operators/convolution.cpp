#include "models/gpu/operators/convolution.hpp"

#include <algorithm>
#include <cmath>

namespace septet {

Gemm implicit_gemm(const Convolution& c) {
  const double window = c.filter_height * c.filter_width;
  Gemm out;
  out.m = c.images * std::floor(c.height / c.stride) * std::floor(c.width / c.stride);
  out.n = c.filters;
  out.k = c.channels * window;
  out.type = c.type;
  out.state = c.state;
  const double windows = out.m * out.k;
  const double filter = out.n * out.k;
  const double touched = std::min(1.0, window / (c.stride * c.stride));
  const double input = c.images * c.channels * c.height * c.width * touched;
  const double once = (input + filter) / (windows + filter);
  out.state.l2_hit = 1.0 - once * (1.0 - c.state.l2_hit);
  return out;
}

}  // namespace septet
