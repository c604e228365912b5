// Products of matrices, y(m x n) = a(m x k) b(n x k)^T.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct Gemm {
  double m = 0;
  double n = 0;
  double k = 0;
  DataType type = DataType::kBf16;
  double output_size = 2;  // bytes of an element
  OperandState state{};
  double switching = 1;  // energy of the operations against random operands
  constexpr bool operator==(const Gemm&) const = default;
};

constexpr double operand_bytes(const Gemm& g) {
  return (g.m + g.n) * g.k * bytes_of(g.type) + g.m * g.n * g.output_size;
}

// Calls with weights of their own on the same activations, which come in two bytes each and are
// converted where the product takes them in one.
constexpr double graph_bytes(const Gemm& g, double calls) {
  constexpr double kActivation = 2;
  const double size = bytes_of(g.type);
  const double activations = g.m * g.k * (size < kActivation ? kActivation + size : kActivation);
  return calls * g.n * g.k * size + activations + g.m * g.n * g.output_size;
}

inline OperatorKinds<Gemm> kinds_of(std::type_identity<Gemm>) {
  using F = OperatorField<Gemm>;
  return {{.text = {.name = "gemm",
                    .meaning = "matrix product",
                    .types = all_types(),
                    .joined_by = "m",
                    .library = true,
                    .load = true,
                    .measured = {.names = {"gemm"},
                                 .extents = {{"m", 1, 8192}, {"n", 448, 32000}, {"k", 896, 28672}},
                                 .types = {DataType::kBf16, DataType::kFp8},
                                 .replays = 54}},
           .fields = {
               F::needed("m", &Gemm::m, OperatorLimit::kSide, "rows of the product"),
               F::needed("n", &Gemm::n, OperatorLimit::kSide, "columns of the product"),
               F::needed("k", &Gemm::k, OperatorLimit::kSide, "inner dimension of the product")}}};
}

}  // namespace septet::program
