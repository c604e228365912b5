// Functions of each element.
#pragma once

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

// How its kernel goes through memory.
enum class Access : std::uint8_t {
  kVectors,     // 16 bytes of contiguous operands at once
  kConverting,  // element by element, the type looked up at run time: casts to larger types
  kStrided      // operands aren't contiguous: offsets by division
};
constexpr auto enum_table(std::type_identity<Access>) {
  return enum_texts<Access>("vectors", "converting", "strided");
}

struct Elementwise {
  double elements = 0;
  double inputs = 1;
  double outputs = 1;
  DataType type = DataType::kBf16;        // of the inputs
  std::optional<DataType> output_type{};  // absent: that of the inputs
  double instructions = 8;                // of arithmetic an element
  double mask_bytes = 0;                  // of a mask that is written, an element
  Access access = Access::kVectors;
  OperandState state{};

  constexpr double size() const { return bytes_of(type); }
  constexpr double output_size() const { return bytes_of(output_type.value_or(type)); }
  constexpr bool operator==(const Elementwise&) const = default;
};

// Arithmetic instructions an element, counted in the kernels' code: sums and products with their
// conversions; GELU (with erf); SiLU; a cast; a copy; dropout.
inline constexpr double kAddInstructions = 4;
inline constexpr double kGeluInstructions = 31;
inline constexpr double kSiluInstructions = 17;
inline constexpr double kCastInstructions = 8;
inline constexpr double kCopyInstructions = 2;
inline constexpr double kDropoutInstructions = 44;  // ten rounds of Philox for four elements

constexpr double written_bytes(const Elementwise& e) {
  return e.elements * (e.outputs * e.output_size() + e.mask_bytes);
}
constexpr double operand_bytes(const Elementwise& e) {
  return e.elements * e.inputs * e.size() + written_bytes(e);
}

template <std::same_as<Elementwise> What>
OperatorKindOf<What> elementwise_kind(std::string name, std::string meaning, double inputs,
                                      double instructions, double least = 0, double most = 0) {
  OperatorKindOf<What> out{.text = {.name = std::move(name),
                                    .meaning = std::move(meaning),
                                    .types = plain_types(),
                                    .joined_by = "elements"},
                           .fields = {OperatorField<What>::elements(&What::elements)},
                           .preset = {.inputs = inputs, .instructions = instructions}};
  if (most > 0) {
    out.text.measured = {.names = {out.text.name},
                         .extents = {{"elements", least, most}},
                         .types = {DataType::kBf16}};
  }
  return out;
}

template <std::same_as<Elementwise> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  OperatorKindOf<What> any =
      elementwise_kind<What>("elementwise", "any function of each element", 1, kAddInstructions);
  any.fields.insert(
      any.fields.end(),
      {F::optional("inputs", &What::inputs, OperatorLimit::kSmall, "number of input operands"),
       F::optional("outputs", &What::outputs, OperatorLimit::kSmall, "number of output operands"),
       F::optional("instructions", &What::instructions, OperatorLimit::kSide,
                   "arithmetic instructions per element")});
  OperatorKindOf<What> widen = elementwise_kind<What>("cast_to_fp32", "conversion to fp32", 1,
                                                      kCastInstructions, 1048576, 16777216);
  widen.text.types = {DataType::kBf16, DataType::kFp16};
  widen.preset.output_type = DataType::kFp32;
  widen.preset.access = Access::kConverting;
  OperatorKindOf<What> narrow = elementwise_kind<What>("cast_to_bf16", "conversion to bf16", 1,
                                                       kCastInstructions, 1048576, 134217728);
  narrow.text.types = {DataType::kFp32};
  narrow.text.measured.types = {DataType::kFp32};
  narrow.preset.type = DataType::kFp32;
  narrow.preset.output_type = DataType::kBf16;
  OperatorKindOf<What> drop = elementwise_kind<What>("dropout", "dropout, including its mask", 1,
                                                     kDropoutInstructions, 1048576, 134217728);
  drop.preset.mask_bytes = 1;
  return {
      elementwise_kind<What>("add", "sum of two operands", 2, kAddInstructions, 1024, 1073741824),
      elementwise_kind<What>("mul", "product of two operands, elementwise", 2, kAddInstructions,
                             4096, 58720256),
      elementwise_kind<What>("gelu", "GELU, exact (erf)", 1, kGeluInstructions, 1024, 1073741824),
      elementwise_kind<What>("silu", "SiLU", 1, kSiluInstructions, 4096, 33554432),
      elementwise_kind<What>("cast", "conversion", 1, kCastInstructions),
      widen,
      narrow,
      drop,
      elementwise_kind<What>("cat", "concatenation of operands", 1, kCopyInstructions, 33554432,
                             268435456),
      any};
}

}  // namespace septet::program
