// Rows of a table by index.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct Gather {
  double rows = 1;
  double columns = 1;
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const Gather&) const = default;
};

constexpr double operand_bytes(const Gather& g) {
  return 2 * g.rows * g.columns * bytes_of(g.type);
}

inline OperatorKinds<Gather> kinds_of(std::type_identity<Gather>) {
  using F = OperatorField<Gather>;
  return {{.text = {.name = "gather",
                    .meaning = "rows of a table by index",
                    .types = plain_types(),
                    .joined_by = "rows",
                    .aliases = {"embedding"}},
           .fields = {F::needed("rows", &Gather::rows, OperatorLimit::kRows, "rows of the matrix"),
                      F::needed("cols", &Gather::columns, OperatorLimit::kRows,
                                "columns of the matrix")}}};
}

}  // namespace septet::program
