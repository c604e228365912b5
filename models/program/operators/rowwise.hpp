// Operators over each row of a matrix.
#pragma once

#include <type_traits>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

enum class RowOperator : std::uint8_t {
  kLayerNorm,
  kRmsNorm,
  kSoftmax,
  kArgmax,
  kLayerNormBackward,
  kRmsNormBackward
};
constexpr auto enum_table(std::type_identity<RowOperator>) {
  return enum_texts<RowOperator>("layernorm", "rmsnorm", "softmax", "argmax", "layernorm_backward",
                                 "rmsnorm_backward");
}

struct Rowwise {
  RowOperator what = RowOperator::kLayerNorm;
  double rows = 1;
  double columns = 1;
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const Rowwise&) const = default;
};

constexpr bool is_backward(const Rowwise& r) {
  return r.what == RowOperator::kLayerNormBackward || r.what == RowOperator::kRmsNormBackward;
}

constexpr double written_bytes(const Rowwise& r) {
  return r.what == RowOperator::kArgmax ? 0.0 : r.rows * r.columns * bytes_of(r.type);
}

// In, and out; the input and the gradient of the output, and that of the input.
constexpr double operand_bytes(const Rowwise& r) {
  const double read = is_backward(r) ? 2 : 1;
  return read * r.rows * r.columns * bytes_of(r.type) + written_bytes(r);
}

template <std::same_as<Rowwise> What>
OperatorKindOf<What> rowwise_kind(RowOperator what, std::string meaning,
                                  MeasuredOperator::Extent rows, MeasuredOperator::Extent columns,
                                  std::vector<DataType> types = half_types()) {
  using F = OperatorField<What>;
  const std::string name(text_of(what));
  return {
      .text = {.name = name,
               .meaning = std::move(meaning),
               .types = std::move(types),
               .joined_by = "rows",
               .gradient = is_backward({.what = what}),
               .measured = {.names = {name},
                            .extents = {std::move(rows), std::move(columns)},
                            .types = {DataType::kBf16}}},
      .fields = {F::needed("rows", &What::rows, OperatorLimit::kRows, "rows of the matrix"),
                 F::needed("cols", &What::columns, OperatorLimit::kRows, "columns of the matrix")},
      .preset = {.what = what}};
}

template <std::same_as<Rowwise> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using R = RowOperator;
  const std::vector<DataType> wide = {DataType::kBf16, DataType::kFp16, DataType::kFp32};
  OperatorKinds<What> out = {
      rowwise_kind<What>(R::kRmsNorm, "root-mean-square norm of rows", {"rows", 1, 8192},
                         {"cols", 2048, 14336}, wide),
      rowwise_kind<What>(R::kLayerNorm, "layer norm of rows", {"rows", 1, 32768},
                         {"cols", 768, 8192}, wide),
      rowwise_kind<What>(R::kSoftmax, "softmax of rows", {"rows", 1, 65536}, {"cols", 128, 128256},
                         wide),
      rowwise_kind<What>(R::kArgmax, "largest of each row", {"rows", 64, 4096},
                         {"cols", 128256, 128256}),
      rowwise_kind<What>(R::kRmsNormBackward, "backward pass of a root-mean-square norm",
                         {"rows", 2048, 16384}, {"cols", 1024, 8192}, wide),
      rowwise_kind<What>(R::kLayerNormBackward, "backward pass of a layer norm",
                         {"rows", 2048, 16384}, {"cols", 1024, 8192}, wide)};
  out[2].text.measured.types.push_back(DataType::kFp32);
  return out;
}

}  // namespace septet::program
