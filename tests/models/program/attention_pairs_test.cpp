// Pairs of queries and keys, and rows of experts, against counting them one by one.
#include <numeric>

#include <gtest/gtest.h>

#include "models/program/operators/attention.hpp"
#include "models/program/operators/grouped_gemm.hpp"

namespace septet::testing {
namespace {

double counted_pairs(const program::Attention& a) {
  double pairs = 0;
  for (std::uint64_t query = 0; query < a.queries; ++query) {
    const std::uint64_t last = a.causal ? a.keys - a.queries + query : a.keys - 1;
    for (std::uint64_t key = 0; key <= last; ++key) {
      if (a.window == 0 || key + a.window > last) ++pairs;
    }
  }
  return pairs;
}

TEST(PairsOfAttention, AreThoseThatTheMasksLeave) {
  for (const std::uint64_t queries : {1, 3, 8}) {
    for (const std::uint64_t keys : {8, 9, 20}) {
      for (const std::uint64_t window : {0, 1, 5, 12, 40}) {
        for (const bool causal : {false, true}) {
          const program::Attention a{
              .queries = queries, .keys = keys, .window = window, .causal = causal};
          EXPECT_DOUBLE_EQ(pairs_seen(a), counted_pairs(a))
              << queries << " of " << keys << ", window " << window << ", causal " << causal;
        }
      }
    }
  }
}

double sum_of(const std::vector<double>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0);
}

TEST(RowsOfExperts, AreAllTokens) {
  for (const double experts : {1, 3, 64, 256}) {
    for (const double tokens : {1, 5, 64, 1000, 32768}) {
      for (const bool skew : {false, true}) {
        const program::GroupedGemm g{.experts = experts, .tokens = tokens, .skew = skew};
        EXPECT_EQ(sum_of(rows_of_experts(g)), tokens) << experts << " " << tokens << " " << skew;
      }
    }
  }
}

TEST(RowsOfExperts, AreAlikeOrFallByRank) {
  EXPECT_EQ(program::rows_of_experts({.experts = 4, .tokens = 8}),
            (std::vector<double>{2, 2, 2, 2}));
  EXPECT_EQ(program::rows_of_experts({.experts = 8, .tokens = 2}), (std::vector<double>{1, 1}));
  EXPECT_EQ(program::rows_of_experts({.experts = 3, .tokens = 11, .skew = true}),
            (std::vector<double>{6, 3, 2}));
  EXPECT_EQ(
      program::rows_of_experts({.experts = 64, .tokens = 16, .used_experts = 1, .largest = 16}),
      (std::vector<double>{16}));
}

}  // namespace
}  // namespace septet::testing
