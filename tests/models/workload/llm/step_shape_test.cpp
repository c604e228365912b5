#include "models/workload/llm/step_shape.hpp"

#include <gtest/gtest.h>

namespace septet::testing {
namespace {

using llm::AttentionGroup;

TEST(StepShape, PutsDecodesTogetherAtTheirMeanLength) {
  const llm::StepShape shape =
      llm::shape_of({{{99, 1}, {299, 1}}, serving::Execution::kFullGraph, 4});
  EXPECT_EQ(shape.rows, 4);  // padded
  EXPECT_EQ(shape.sampled, 2);
  EXPECT_EQ(shape.groups, (std::vector{AttentionGroup{2, 1, 200, false}}));
}

// Two chunks: 100 queries from 0 on, 300 behind 1,000: 100 x 50 + 300 x 1,150 scores.
TEST(StepShape, KeepsTheScoresOfChunks) {
  const llm::StepShape shape = llm::shape_of({{{0, 100, false}, {1000, 300, true}}});
  ASSERT_EQ(shape.groups.size(), 1U);
  const AttentionGroup& group = shape.groups.front();
  EXPECT_TRUE(group.prefill);
  EXPECT_EQ(group.queries, 200);
  EXPECT_DOUBLE_EQ(2 * group.queries * (group.keys - group.queries / 2), 100 * 50 + 300 * 1150);
  EXPECT_EQ(shape.sampled, 1);  // the other prompt goes on
  EXPECT_EQ(shape.rows, 400);
}

TEST(StepShape, TakesVerifiedTokensForDecodes) {
  const llm::StepShape shape = llm::shape_of({{{1000, 5}, {40, 40}}});
  ASSERT_EQ(shape.groups.size(), 2U);
  EXPECT_EQ(shape.groups[0], (AttentionGroup{1, 5, 1005, false}));
  EXPECT_TRUE(shape.groups[1].prefill);
  EXPECT_EQ(shape.sampled, 5 + 1);  // every verified position has logits
}

TEST(StepShape, RoundsLengthsByNoMoreThanItSays) {
  for (double keys = 1; keys < 100'000; keys *= 1.37) {
    llm::StepShape shape{1, 1, {{1, 1, keys, false}}};
    const double got = rounded(shape, 32).groups[0].keys;
    EXPECT_NEAR(got / keys, 1, 1.0 / 64) << keys;
    EXPECT_EQ(rounded(shape, 0), shape);
  }
}

}  // namespace
}  // namespace septet::testing
