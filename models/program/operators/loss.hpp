// Cross entropy of rows of logits against one class each, and its gradient.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct Loss {
  double rows = 1;
  double columns = 1;
  bool backward = false;
  DataType type = DataType::kFp32;
  OperandState state{};
  constexpr bool operator==(const Loss&) const = default;
};

// Logarithms of the softmax, kept for the gradient; or the gradient of the logits.
constexpr double written_bytes(const Loss& l) { return l.rows * l.columns * bytes_of(l.type); }
constexpr double operand_bytes(const Loss& l) { return 2 * written_bytes(l); }

template <std::same_as<Loss> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  const auto kind = [](bool backward, const char* name, const char* meaning) {
    return OperatorKindOf<What>{
        .text = {.name = name,
                 .meaning = meaning,
                 .types = {DataType::kFp32, DataType::kBf16, DataType::kFp16},
                 .joined_by = "rows",
                 .gradient = backward,
                 .measured = {.names = {name},
                              .extents = {{"rows", backward ? 2048.0 : 1024.0, 2048},
                                          {"cols", backward ? 151936.0 : 32000.0, 151936}},
                              .types = {DataType::kFp32}}},
        .fields = {F::needed("rows", &What::rows, OperatorLimit::kRows, "rows of the matrix"),
                   F::needed("cols", &What::columns, OperatorLimit::kRows,
                             "columns of the matrix")},
        .preset = {.backward = backward}};
  };
  return {kind(false, "cross_entropy", "cross entropy of rows of logits"),
          kind(true, "cross_entropy_backward", "backward pass of cross entropy")};
}

}  // namespace septet::program
