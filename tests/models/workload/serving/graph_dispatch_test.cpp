#include "models/workload/serving/graph_dispatch.hpp"

#include <gtest/gtest.h>

namespace septet::serving {
namespace {

const GraphSpec kGraphs{{1, 2, 4}, true, true};

StepPlan decodes(std::int64_t count) {
  StepPlan plan;
  for (std::int64_t i = 0; i < count; ++i) plan.entries.push_back({0, 0, 100, 1, 1, false});
  return plan;
}

StepPlan prompt(std::int64_t tokens) {
  StepPlan plan;
  plan.entries.push_back({0, 0, 0, tokens, 1, true});
  return plan;
}

Batch only(const GraphSpec& graphs, const StepPlan& plan) {
  return batches_of(graphs, 1, std::vector{plan}).front();
}

TEST(GraphDispatch, DecodesRunTheSmallestGraphThatHoldsThem) {
  const Batch batch = only(kGraphs, decodes(3));
  EXPECT_EQ(batch.execution, Execution::kFullGraph);
  EXPECT_EQ(batch.padded_tokens, 4);
  EXPECT_EQ(batch.entries.size(), 3U);
}

TEST(GraphDispatch, PastTheLargestCapturedSizeAStepIsEager) {
  EXPECT_EQ(only(kGraphs, decodes(4)).execution, Execution::kFullGraph);
  EXPECT_EQ(only(kGraphs, decodes(5)).execution, Execution::kEager);
  EXPECT_EQ(only(kGraphs, decodes(5)).padded_tokens, 5);
}

TEST(GraphDispatch, PromptsRunPiecewiseOrEagerly) {
  EXPECT_EQ(only(kGraphs, prompt(3)).execution, Execution::kPiecewiseGraph);
  EXPECT_EQ(only(kGraphs, prompt(3)).padded_tokens, 4);
  EXPECT_EQ(only({{1, 2, 4}, true, false}, prompt(3)).execution, Execution::kEager);
}

TEST(GraphDispatch, VerificationCountsItsTokens) {
  StepPlan plan;
  for (int i = 0; i < 2; ++i) plan.entries.push_back({0, 0, 100, 3, 2, false});
  EXPECT_EQ(batches_of(kGraphs, 3, std::vector{plan}).front().execution, Execution::kEager);
  plan.entries.pop_back();
  EXPECT_EQ(batches_of(kGraphs, 3, std::vector{plan}).front().padded_tokens, 4);
}

TEST(GraphDispatch, IdleRanksComputeAsMuchAsTheBusiest) {
  const std::vector<Batch> batches =
      batches_of(kGraphs, 1, std::vector{decodes(3), StepPlan{}, decodes(1)});
  for (const Batch& batch : batches) {
    EXPECT_EQ(batch.execution, Execution::kFullGraph);
    EXPECT_EQ(batch.padded_tokens, 4);
  }
  EXPECT_TRUE(batches[1].entries.empty());
}

TEST(GraphDispatch, ARankWithAPromptTakesTheGraphFromAll) {
  const std::vector<Batch> batches = batches_of(kGraphs, 1, std::vector{decodes(1), prompt(9)});
  EXPECT_EQ(batches[0].execution, Execution::kEager);
  EXPECT_EQ(batches[0].padded_tokens, 9);
}

}  // namespace
}  // namespace septet::serving
