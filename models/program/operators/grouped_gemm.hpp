// Products of several experts in one call: rows sorted by expert, each expert with weights of its
// own (mixtures of experts).
#pragma once

#include <algorithm>
#include <cmath>

#include "models/program/operators/operator_field.hpp"

namespace septet::program {

struct GroupedGemm {
  double experts = 1;
  double tokens = 1;  // rows of all experts
  double n = 0;
  double k = 0;
  bool skew = false;        // expert i gets a share of 1 / i; else all the same
  double used_experts = 0;  // 0: as shares and tokens have it
  double largest = 0;       // rows of the expert with most; 0: as shares have it
  DataType type = DataType::kBf16;
  OperandState state{};
  constexpr bool operator==(const GroupedGemm&) const = default;
};

// Rows of each expert that has any, most first.
inline std::vector<double> rows_of_experts(const GroupedGemm& g) {
  const double most = std::clamp(g.used_experts > 0 ? g.used_experts : g.experts, 1.0, g.tokens);
  double shares = 0;
  for (double i = 1; i <= most; ++i) shares += g.skew ? 1 / i : 1.0;
  double left = g.tokens;
  std::vector<double> out;
  const auto give = [&](double rows) {
    const double given = std::clamp(std::round(rows), 0.0, left);
    if (given > 0) out.push_back(given);
    left -= given;
  };
  const double first = g.largest > 0 ? std::min(g.largest, g.tokens) : 0.0;
  if (first > 0) give(first);
  const double rest = left;
  const double others = first > 0 ? shares - 1 : shares;
  for (double i = first > 0 ? 2 : 1; i <= most && left > 0; ++i) {
    const double fair = rest * (g.skew ? 1 / i : 1.0) / std::max(others, 1e-9);
    give(g.used_experts > 0 ? std::max(1.0, fair) : fair);
  }
  if (left > 0) out.empty() ? out.push_back(left) : void(out.front() += left);
  return out;
}

inline double written_bytes(const GroupedGemm& g) { return g.tokens * g.n * bytes_of(g.type); }

// The weights of experts that get no row are not read.
inline double operand_bytes(const GroupedGemm& g) {
  const auto used = static_cast<double>(rows_of_experts(g).size());
  return (used * g.n + g.tokens) * g.k * bytes_of(g.type) + written_bytes(g);
}

constexpr double operations(const GroupedGemm& g) { return 2 * g.tokens * g.n * g.k; }

template <std::same_as<GroupedGemm> What>
OperatorKinds<What> kinds_of(std::type_identity<What>) {
  using F = OperatorField<What>;
  return {
      {.text = {.name = "grouped_gemm",
                .meaning = "grouped matrix product: all experts of a mixture in one call",
                .types = half_types(),
                .joined_by = "tokens",
                .load = true,
                .measured = {.names = {"grouped_gemm"},
                             .extents = {{"experts", 8, 256},
                                         {"tokens", 16, 32768},
                                         {"n", 768, 14336},
                                         {"k", 2048, 7168},
                                         {"skew", 0, 1}},
                             .types = {DataType::kBf16}}},
       .fields = {
           F::needed("experts", &What::experts, OperatorLimit::kSide, "number of experts"),
           F::needed("tokens", &What::tokens, OperatorLimit::kSide, "rows of all experts together"),
           F::needed("n", &What::n, OperatorLimit::kSide, "columns of the product"),
           F::needed("k", &What::k, OperatorLimit::kSide, "inner dimension of the product"),
           F::flag("skew", &What::skew, "rows of expert i are proportional to 1 / i; else uniform"),
           F::optional("used_experts", &What::used_experts, OperatorLimit::kSide,
                       "experts that get any rows"),
           F::optional("largest", &What::largest, OperatorLimit::kSide,
                       "rows of the most loaded expert")}}};
}

}  // namespace septet::program
