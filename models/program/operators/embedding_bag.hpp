// Sums of rows of a table by index, a bag of them each (recommendation models).
#pragma once

#include <cmath>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct EmbeddingBag {
  double batch = 1;  // bags
  double bag = 1;    // rows of each
  double dim = 64;
  double table_rows = 1;
  DataType type = DataType::kFp32;
  OperandState state{};
  constexpr bool operator==(const EmbeddingBag&) const = default;
};

constexpr double written_bytes(const EmbeddingBag& e) { return e.batch * e.dim * bytes_of(e.type); }

// Rows that come up again are read once: indices are drawn at random.
inline double operand_bytes(const EmbeddingBag& e) {
  constexpr double kIndex = 8;
  const double rows = e.table_rows * -std::expm1(-e.batch * e.bag / e.table_rows);
  return rows * e.dim * bytes_of(e.type) + e.batch * (e.bag + 1) * kIndex + written_bytes(e);
}

template <std::same_as<EmbeddingBag> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  return {{.text = {.name = "embedding_bag",
                    .meaning = "sums of table rows, one per bag",
                    .types = {DataType::kFp32, DataType::kBf16, DataType::kFp16},
                    .joined_by = "batch",
                    .measured = {.names = {"embedding_bag"},
                                 .extents = {{"batch", 256, 32768},
                                             {"bag", 1, 80},
                                             {"dim", 64, 128},
                                             {"table_rows", 4000000, 4000000}},
                                 .types = {DataType::kFp32}}},
           .fields = {F::needed("batch", &What::batch, OperatorLimit::kSide,
                                "number of sequences, images or products"),
                      F::needed("bag", &What::bag, OperatorLimit::kSide, "rows per bag"),
                      F::needed("dim", &What::dim, OperatorLimit::kSmall,
                                "head dimension, or elements of a table row"),
                      F::needed("table_rows", &What::table_rows, OperatorLimit::kRows,
                                "rows of the table")}}};
}

}  // namespace septet::program
