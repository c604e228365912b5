#include "scenarios/explain/measured_neighbours.hpp"

#include <gtest/gtest.h>

#include "models/program/operator_work.hpp"

namespace septet::testing {
namespace {

explain::MeasuredShape gemm_row(double m, double n, double k, double error,
                                const char* type = "bf16") {
  return {"gemm", type, {{"m", m}, {"n", n}, {"k", k}}, error};
}

const program::OperatorKind& kind(const char* name) { return *program::operator_kind(name); }

TEST(MeasuredNeighbours, AreFarAwayByTheFieldThatDiffersMost) {
  const std::vector<explain::MeasuredShape> rows = {
      gemm_row(16, 4096, 4096, -3), gemm_row(1024, 4096, 4096, 20), gemm_row(16, 64, 64, 90)};
  const auto near = neighbours_of(rows, kind("gemm"), program::Gemm{.m = 64, .n = 4096, .k = 8192});
  ASSERT_TRUE(near);
  EXPECT_EQ(near->nearest.error_pct, -3);
  EXPECT_EQ(near->field, "m");
  EXPECT_DOUBLE_EQ(near->factor, 4);
  EXPECT_EQ(near->rows, 3U);
  EXPECT_DOUBLE_EQ(near->median_pct, 20);
  EXPECT_DOUBLE_EQ(near->largest_pct, 90);
}

TEST(MeasuredNeighbours, AreOfTheTypeTheOperatorAndTheFlags) {
  const std::vector<explain::MeasuredShape> rows = {
      gemm_row(16, 4096, 4096, 1, "fp8"), {"attention_chunk", "bf16", {{"causal", 1}}, 2}};
  EXPECT_FALSE(neighbours_of(rows, kind("gemm"), program::Gemm{.m = 16, .n = 4096, .k = 4096}));
  program::Attention chunk;
  EXPECT_FALSE(neighbours_of(rows, kind("attention_chunk"), chunk));
  chunk.causal = true;
  EXPECT_TRUE(neighbours_of(rows, kind("attention_chunk"), chunk));
}

TEST(MeasuredNeighbours, OfAllErrorsTheNearestEightCount) {
  std::vector<explain::MeasuredShape> rows;
  for (int i = 0; i < 20; ++i) rows.push_back(gemm_row(16 << i, 4096, 4096, i));
  const auto near = neighbours_of(rows, kind("gemm"), program::Gemm{.m = 16, .n = 4096, .k = 4096});
  ASSERT_TRUE(near);
  EXPECT_DOUBLE_EQ(near->factor, 1);
  EXPECT_EQ(near->rows, 8U);
  EXPECT_DOUBLE_EQ(near->largest_pct, 7);
  EXPECT_DOUBLE_EQ(near->median_pct, 4);
}

}  // namespace
}  // namespace septet::testing
