// Functions of each element.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct Elementwise {
  double elements = 0;
  double inputs = 1;
  double outputs = 1;
  DataType type = DataType::kBf16;        // of the inputs
  std::optional<DataType> output_type{};  // absent: that of the inputs
  double instructions = 8;                // of arithmetic an element
  bool strided = false;                   // operands aren't contiguous
  OperandState state{};

  constexpr double size() const { return bytes_of(type); }
  constexpr double output_size() const { return bytes_of(output_type.value_or(type)); }
  constexpr bool operator==(const Elementwise&) const = default;
};

// Arithmetic instructions an element, counted in the kernels' code: sums and products with their
// conversions; GELU (with erf); SiLU; a cast.
inline constexpr double kAddInstructions = 4;
inline constexpr double kGeluInstructions = 31;
inline constexpr double kSiluInstructions = 17;
inline constexpr double kCastInstructions = 8;

constexpr double operand_bytes(const Elementwise& e) {
  return e.elements * (e.inputs * e.size() + e.outputs * e.output_size());
}

inline OperatorKindOf<Elementwise> elementwise_kind(std::string name, std::string meaning,
                                                    double inputs, double instructions,
                                                    double least = 0, double most = 0) {
  OperatorKindOf<Elementwise> out{
      .text = {.name = std::move(name),
               .meaning = std::move(meaning),
               .types = plain_types(),
               .joined_by = "elements"},
      .fields = {OperatorField<Elementwise>::elements(&Elementwise::elements)},
      .preset = {.inputs = inputs, .instructions = instructions}};
  if (most > 0) {
    out.text.measured = {.names = {out.text.name},
                         .extents = {{"elements", least, most}},
                         .types = {DataType::kBf16}};
  }
  return out;
}

inline OperatorKinds<Elementwise> kinds_of(std::type_identity<Elementwise>) {
  using E = Elementwise;
  using F = OperatorField<E>;
  OperatorKindOf<E> any =
      elementwise_kind("elementwise", "any function of each element", 1, kAddInstructions);
  any.fields.insert(
      any.fields.end(),
      {F::optional("inputs", &E::inputs, OperatorLimit::kSmall, "number of input operands"),
       F::optional("outputs", &E::outputs, OperatorLimit::kSmall, "number of output operands"),
       F::optional("instructions", &E::instructions, OperatorLimit::kSide,
                   "arithmetic instructions per element")});
  return {elementwise_kind("add", "sum of two operands", 2, kAddInstructions, 1024, 1073741824),
          elementwise_kind("mul", "product of two operands, elementwise", 2, kAddInstructions, 4096,
                           58720256),
          elementwise_kind("gelu", "GELU, exact (erf)", 1, kGeluInstructions, 1024, 1073741824),
          elementwise_kind("silu", "SiLU", 1, kSiluInstructions, 4096, 33554432),
          elementwise_kind("cast", "conversion", 1, kCastInstructions),
          any};
}

}  // namespace septet::program
