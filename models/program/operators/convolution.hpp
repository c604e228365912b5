// Convolutions of images, outputs as many as input positions over the stride.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/program/operators/gemm.hpp"

namespace septet::program {

struct Convolution {
  double batch = 1;
  double in_channels = 1;
  double height = 1;
  double width = 1;
  double out_channels = 1;
  double kernel_height = 1;
  double kernel_width = 1;
  double stride = 1;
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const Convolution&) const = default;
};

// As a product: rows are output positions, columns output channels, depth input channels times the
// window. Each input element is read from DRAM once; the windows that overlap find it in the L2
// cache, which `l2_hit` of the product says.
inline Gemm implicit_gemm(const Convolution& c) {
  const double window = c.kernel_height * c.kernel_width;
  Gemm out{.m = c.batch * std::ceil(c.height / c.stride) * std::ceil(c.width / c.stride),
           .n = c.out_channels,
           .k = c.in_channels * window,
           .type = c.type,
           .state = c.state};
  const double windows = out.m * out.k;
  const double weights = out.n * out.k;
  const double touched = std::min(1.0, window / (c.stride * c.stride));
  const double input = c.batch * c.in_channels * c.height * c.width * touched;
  const double once = (input + weights) / (windows + weights);
  out.state.l2_hit = 1.0 - once * (1.0 - c.state.l2_hit);
  return out;
}

inline double written_bytes(const Convolution& c) { return written_bytes(implicit_gemm(c)); }

inline double operand_bytes(const Convolution& c) {
  const Gemm product = implicit_gemm(c);
  const double touched = std::min(1.0, c.kernel_height * c.kernel_width / (c.stride * c.stride));
  const double input = c.batch * c.in_channels * c.height * c.width * touched;
  return (input + product.n * product.k) * bytes_of(c.type) + written_bytes(product);
}

inline double operations(const Convolution& c) { return operations(implicit_gemm(c)); }

inline std::optional<OperatorMistake> mistake_in(const Convolution& c) {
  if (c.stride > std::min(c.height, c.width)) {
    return OperatorMistake{"stride", c.stride, "", "at most height and width"};
  }
  constexpr double kMostRowsOfProduct = 64.0 * OperatorLimit::kSide;
  const Gemm product = implicit_gemm(c);
  if (product.m <= kMostRowsOfProduct && product.k <= OperatorLimit::kSide) return std::nullopt;
  if (product.m > kMostRowsOfProduct) {
    return OperatorMistake{"batch", product.m, "rows of the product", "at most 2^28"};
  }
  return OperatorMistake{"in_channels", product.k, "terms per sum", "at most 2^22"};
}

template <std::same_as<Convolution> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  return {
      {.text =
           {.name = "convolution",
            .meaning =
                "convolution, lowered to a GEMM; the output size is the input size over the stride",
            .types = all_types(),
            .joined_by = "batch",
            .load = true,
            .measured = {.names = {"convolution"},
                         .extents = {{"batch", 8, 128},
                                     {"in_channels", 3, 512},
                                     {"height", 7, 224},
                                     {"width", 7, 224},
                                     {"out_channels", 64, 512},
                                     {"kernel_size", 1, 7},
                                     {"stride", 1, 2}},
                         .types = {DataType::kBf16, DataType::kFp16}}},
       .fields = {
           F::optional("batch", &What::batch, OperatorLimit::kSide,
                       "number of sequences, images or products"),
           F::needed("in_channels", &What::in_channels, OperatorLimit::kSide,
                     "channels of an input"),
           F::needed("height", &What::height, OperatorLimit::kSide, "rows of an image"),
           F::needed("width", &What::width, OperatorLimit::kSide, "columns of an image"),
           F::needed("out_channels", &What::out_channels, OperatorLimit::kSide,
                     "channels of an output"),
           F::needed("kernel_size", &What::kernel_height, OperatorLimit::kSmall,
                     "side of the filter window")
               .in_rows("kernel"),
           F::optional("kernel_width", &What::kernel_width, OperatorLimit::kSmall,
                       "columns of the filter window", "kernel_size"),
           F::optional("stride", &What::stride, OperatorLimit::kSmall, "stride of the window")}}};
}

}  // namespace septet::program
