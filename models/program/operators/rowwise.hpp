// Operators over each row of a matrix.
#pragma once

#include <type_traits>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

enum class RowOperator : std::uint8_t { kLayerNorm, kRmsNorm, kSoftmax, kArgmax };
constexpr auto enum_table(std::type_identity<RowOperator>) {
  return enum_texts<RowOperator>("layernorm", "rmsnorm", "softmax", "argmax");
}

struct Rowwise {
  RowOperator what = RowOperator::kLayerNorm;
  double rows = 1;
  double columns = 1;
  DataType type = DataType::kBf16;  // two bytes
  OperandState state{};
  constexpr bool operator==(const Rowwise&) const = default;
};

constexpr double operand_bytes(const Rowwise& r) {
  const double passes = r.what == RowOperator::kArgmax ? 1 : 2;  // in, and out
  return passes * r.rows * r.columns * bytes_of(r.type);
}

inline OperatorKindOf<Rowwise> rowwise_kind(RowOperator what, std::string meaning,
                                            MeasuredOperator::Extent rows,
                                            MeasuredOperator::Extent columns) {
  using F = OperatorField<Rowwise>;
  const std::string name(text_of(what));
  return {.text = {.name = name,
                   .meaning = std::move(meaning),
                   .types = half_types(),
                   .joined_by = "rows",
                   .measured = {.names = {name},
                                .extents = {std::move(rows), std::move(columns)},
                                .types = {DataType::kBf16}}},
          .fields = {F::needed("rows", &Rowwise::rows, OperatorLimit::kRows, "rows of the matrix"),
                     F::needed("cols", &Rowwise::columns, OperatorLimit::kRows,
                               "columns of the matrix")},
          .preset = {.what = what}};
}

inline OperatorKinds<Rowwise> kinds_of(std::type_identity<Rowwise>) {
  return {rowwise_kind(RowOperator::kRmsNorm, "root-mean-square norm of rows", {"rows", 1, 4096},
                       {"cols", 2048, 14336}),
          rowwise_kind(RowOperator::kLayerNorm, "layer norm of rows", {"rows", 1, 32768},
                       {"cols", 768, 8192}),
          rowwise_kind(RowOperator::kSoftmax, "softmax of rows", {"rows", 1, 32768},
                       {"cols", 768, 8192}),
          rowwise_kind(RowOperator::kArgmax, "index of the largest element of each row",
                       {"rows", 64, 4096}, {"cols", 128256, 128256})};
}

}  // namespace septet::program
