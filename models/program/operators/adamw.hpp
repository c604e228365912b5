// One step of AdamW over all parameters of a model, in fused kernels.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct AdamW {
  double tensors = 1;
  double elements_each = 1;
  DataType type = DataType::kFp32;  // of parameters, gradients and both moments
  OperandState state{};
  constexpr bool operator==(const AdamW&) const = default;
};

// Parameter and two moments.
constexpr double written_bytes(const AdamW& a) {
  return 3 * a.tensors * a.elements_each * bytes_of(a.type);
}
// The same, and the gradient, are read.
constexpr double operand_bytes(const AdamW& a) {
  return 4 * a.tensors * a.elements_each * bytes_of(a.type) + written_bytes(a);
}

template <std::same_as<AdamW> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  return {
      {.text = {.name = "adamw_fused",
                .meaning = "a fused AdamW step over all parameters",
                .types = {DataType::kFp32, DataType::kBf16, DataType::kFp16},
                .joined_by = "tensors",
                .measured = {.names = {"adamw_fused"},
                             .extents = {{"tensors", 64, 300}, {"elements_each", 262144, 4194304}},
                             .types = {DataType::kFp32}}},
       .fields = {F::needed("tensors", &What::tensors, OperatorLimit::kSide,
                            "number of parameter tensors"),
                  F::needed("elements_each", &What::elements_each, OperatorLimit::kElements,
                            "elements of each tensor")}}};
}

}  // namespace septet::program
