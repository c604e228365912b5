// Sums over the rows of a matrix, one for each column: gradients of biases.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct SumRows {
  double rows = 1;
  double columns = 1;
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const SumRows&) const = default;
};

constexpr double written_bytes(const SumRows& s) { return s.columns * bytes_of(s.type); }
constexpr double operand_bytes(const SumRows& s) {
  return s.rows * s.columns * bytes_of(s.type) + written_bytes(s);
}

template <std::same_as<SumRows> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  return {{.text = {.name = "sum_rows",
                    .meaning = "column sums of a matrix",
                    .types = {DataType::kBf16, DataType::kFp16, DataType::kFp32},
                    .joined_by = "rows",
                    .measured = {.names = {"sum_rows"},
                                 .extents = {{"rows", 16384, 131072}, {"cols", 1024, 1024}},
                                 .types = {DataType::kBf16}}},
           .fields = {
               F::needed("rows", &What::rows, OperatorLimit::kRows, "rows of the matrix"),
               F::needed("cols", &What::columns, OperatorLimit::kRows, "columns of the matrix")}}};
}

}  // namespace septet::program
