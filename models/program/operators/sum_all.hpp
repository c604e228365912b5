// All elements into one sum.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct SumAll {
  double elements = 1;
  DataType type = DataType::kBf16;  // two bytes
  OperandState state{};
  constexpr bool operator==(const SumAll&) const = default;
};

constexpr double written_bytes(const SumAll& s) { return bytes_of(s.type); }
constexpr double operand_bytes(const SumAll& s) { return s.elements * bytes_of(s.type); }

template <std::same_as<SumAll> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  return {{.text = {.name = "sum",
                    .meaning = "sum of all elements",
                    .types = half_types(),
                    .joined_by = "elements",
                    .aliases = {"reduction"}},
           .fields = {OperatorField<What>::elements(&What::elements)}}};
}

}  // namespace septet::program
