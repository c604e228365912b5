// A copy of a matrix, transposed.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct Transpose {
  double rows = 1;
  double columns = 1;
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const Transpose&) const = default;
};

constexpr double written_bytes(const Transpose& t) { return t.rows * t.columns * bytes_of(t.type); }
constexpr double operand_bytes(const Transpose& t) { return 2 * written_bytes(t); }

template <std::same_as<Transpose> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  return {{.text = {.name = "copy_transposed",
                    .meaning = "transposition of a matrix",
                    .types = plain_types(),
                    .joined_by = "rows",
                    .measured = {.names = {"copy_transposed"},
                                 .extents = {{"rows", 256, 4096}, {"cols", 256, 256}},
                                 .types = {DataType::kBf16}}},
           .fields = {
               F::needed("rows", &What::rows, OperatorLimit::kRows, "rows of the matrix"),
               F::needed("cols", &What::columns, OperatorLimit::kRows, "columns of the matrix")}}};
}

}  // namespace septet::program
