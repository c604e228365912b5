// Products of matrices, y(m x n) = a(m x k) b(n x k)^T.
#pragma once

#include <algorithm>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

// What a product does beside multiplying.
enum class GemmForm : std::uint8_t {
  kPlain,
  kRowwiseScaled,  // operands of one byte, a scale for each row and column
  kInt4Weights     // b has four bits an element, a scale and an offset for each group of k
};
constexpr auto enum_table(std::type_identity<GemmForm>) {
  return enum_texts<GemmForm>("plain", "rowwise scaled", "int4 weights");
}

struct Gemm {
  double m = 0;
  double n = 0;
  double k = 0;
  double batch = 1;  // products of one call, each with operands of its own
  DataType type = DataType::kBf16;
  GemmForm form = GemmForm::kPlain;
  double group = 128;      // elements of k that share a scale, with int4 weights
  double output_size = 0;  // bytes of an element; 0: those of the type, two at least
  OperandState state{};
  double switching = 1;  // energy of the operations against random operands
  constexpr bool operator==(const Gemm&) const = default;
};

constexpr double result_size(const Gemm& g) {
  constexpr double kLeast = 2;
  return g.output_size > 0 ? g.output_size : std::max(kLeast, bytes_of(g.type));
}

// Of b, scales and offsets of two bytes included.
constexpr double weight_bytes(const Gemm& g) {
  if (g.form == GemmForm::kInt4Weights) return g.batch * g.n * g.k * (0.5 + 4.0 / g.group);
  return g.batch * g.n * g.k * bytes_of(g.type);
}

constexpr double written_bytes(const Gemm& g) { return g.batch * g.m * g.n * result_size(g); }

constexpr double operand_bytes(const Gemm& g) {
  return g.batch * g.m * g.k * bytes_of(g.type) + weight_bytes(g) + written_bytes(g);
}

constexpr double operations(const Gemm& g) { return 2 * g.batch * g.m * g.n * g.k; }

// Calls with weights of their own on the same activations, which come in two bytes each and are
// converted where the product takes them in one.
constexpr double graph_bytes(const Gemm& g, double calls) {
  constexpr double kActivation = 2;
  const double size = bytes_of(g.type);
  const double activations = g.m * g.k * (size < kActivation ? kActivation + size : kActivation);
  return calls * weight_bytes(g) + activations + written_bytes(g);
}

template <std::same_as<Gemm> What>
std::vector<OperatorField<What>> product_fields() {
  using F = OperatorField<What>;
  return {F::needed("m", &What::m, OperatorLimit::kSide, "rows of the product"),
          F::needed("n", &What::n, OperatorLimit::kSide, "columns of the product"),
          F::needed("k", &What::k, OperatorLimit::kSide, "inner dimension of the product")};
}

template <std::same_as<Gemm> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  OperatorKindOf<What> batched{
      .text = {.name = "batched_gemm",
               .meaning = "batched matrix product: many products of equal size",
               .types = all_types(),
               .joined_by = "batch",
               .load = true,
               .measured = {.names = {"batched_gemm"},
                            .extents = {{"batch", 16, 1024},
                                        {"m", 1, 512},
                                        {"n", 64, 1024},
                                        {"k", 64, 128}},
                            .types = {DataType::kBf16}}},
      .fields = product_fields<What>()};
  batched.fields.push_back(F::needed("batch", &What::batch, OperatorLimit::kSide,
                                     "number of sequences, images or products"));
  OperatorKindOf<What> int4{
      .text = {.name = "gemm_int4_weights",
               .meaning = "matrix product with 4-bit weights, scaled per group",
               .types = {DataType::kBf16},
               .joined_by = "m",
               .measured = {.names = {"gemm_int4_weights"},
                            .extents = {{"m", 16, 8192}, {"n", 2048, 14336}, {"k", 4096, 8192}},
                            .types = {DataType::kBf16}}},
      .fields = product_fields<What>(),
      .preset = {.form = GemmForm::kInt4Weights}};
  int4.fields.push_back(F::optional("group", &What::group, OperatorLimit::kSmall,
                                    "elements along k that share a scale"));
  return {
      {.text = {.name = "gemm",
                .meaning = "matrix product",
                .types = all_types(),
                .joined_by = "m",
                .library = true,
                .load = true,
                .measured = {.names = {"gemm"},
                             .extents = {{"m", 1, 8192}, {"n", 12, 50257}, {"k", 768, 28672}},
                             .types = {DataType::kBf16, DataType::kFp16, DataType::kFp8,
                                       DataType::kTf32, DataType::kFp32},
                             .replays = 54}},
       .fields = product_fields<What>()},
      batched,
      {.text = {.name = "gemm_rowwise_scaled",
                .meaning = "product of fp8 matrices with a scale per row and column",
                .types = {DataType::kFp8},
                .joined_by = "m",
                .load = true,
                .measured = {.names = {"gemm_rowwise_scaled"},
                             .extents = {{"m", 16, 8192}, {"n", 2048, 14336}, {"k", 4096, 8192}},
                             .types = {DataType::kFp8}}},
       .fields = product_fields<What>(),
       .preset = {.type = DataType::kFp8, .form = GemmForm::kRowwiseScaled}},
      int4};
}

}  // namespace septet::program
