// Rows of a table by index, and rows added to those of a table by index.
#pragma once

#include <cmath>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct Gather {
  double rows = 1;
  double columns = 1;
  double of = 0;     // rows of the table; 0: as many as are taken
  bool add = false;  // into a cleared table, from rows gathered by the same indices
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const Gather&) const = default;
};

constexpr double rows_of_table(const Gather& g) { return g.of > 0 ? g.of : g.rows; }

constexpr double written_bytes(const Gather& g) {
  return (g.add ? rows_of_table(g) : g.rows) * g.columns * bytes_of(g.type);
}
// Rows that come up again are read once: indices are drawn at random.
inline double operand_bytes(const Gather& g) {
  const double read = g.of > 0 ? g.of * -std::expm1(-g.rows / g.of) : g.rows;
  return read * g.columns * bytes_of(g.type) + written_bytes(g);
}

template <std::same_as<Gather> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  const std::vector<OperatorField<What>> fields = {
      F::needed("rows", &What::rows, OperatorLimit::kRows, "rows of the matrix"),
      F::needed("cols", &What::columns, OperatorLimit::kRows, "columns of the matrix"),
      F::optional("of", &What::of, OperatorLimit::kRows, "rows of the indexed table")};
  const auto measured = [](const char* name, double least) {
    return MeasuredOperator{
        .names = {name},
        .extents = {{"rows", 2 * least, 16384}, {"cols", 4096, 4096}, {"of", least, 8192}},
        .types = {DataType::kBf16}};
  };
  return {{.text = {.name = "gather",
                    .meaning = "rows of a table by index",
                    .types = plain_types(),
                    .joined_by = "rows",
                    .aliases = {"embedding", "gather_rows"},
                    .measured = measured("gather_rows", 1024)},
           .fields = fields},
          {.text = {.name = "scatter_add_rows",
                    .meaning = "rows gathered by index and summed by the same index",
                    .types = {DataType::kBf16, DataType::kFp16, DataType::kFp32},
                    .joined_by = "rows",
                    .measured = measured("scatter_add_rows", 64)},
           .fields = fields,
           .preset = {.add = true}}};
}

}  // namespace septet::program
