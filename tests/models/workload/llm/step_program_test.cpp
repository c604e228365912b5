#include "models/workload/llm/step_program.hpp"

#include <gtest/gtest.h>

namespace septet::testing {
namespace {

using serving::Execution;

// Two layers of a product with an all-reduce behind it and attention, then a head.
llm::TimedStep step() {
  llm::TimedKernel product{.name = "product", .time = 10_us};
  product.then = {.bytes = Bytes(64)};
  product.exchange = 3_us;
  const llm::TimedKernel attention{.name = "attention", .time = 5_us};
  const llm::TimedKernel head{.name = "head", .time = 7_us};
  llm::TimedStep out;
  out.parts = {{{product, attention}, 2}, {{head}, 1}};
  return out;
}

program::Program program_of(Execution execution, bool end_outside = true) {
  const llm::TimedStep one = step();
  return llm::step_program(std::span(&one, 1), {execution, 20_us, 4_us, end_outside});
}

std::size_t count(const program::Program& program, program::CallKind kind) {
  const auto& calls = program.threads.front().calls;
  return static_cast<std::size_t>(std::ranges::count(calls, kind, &program::Call::kind));
}

TEST(StepProgram, LaunchesEveryKernelBehindTheWorkOfItsCall) {
  const program::Program program = program_of(Execution::kEager);
  EXPECT_EQ(count(program, program::CallKind::kLaunchKernel), 2U * 3 + 1);
  EXPECT_EQ(count(program, program::CallKind::kHostWork), 2U * 3 + 1);
  EXPECT_EQ(program::as<program::HostWork>(program.threads[0].calls[0]).duration, 16_us);
}

TEST(StepProgram, PutsLayersInOneGraphAndTheHeadBehindIt) {
  const program::Program program = program_of(Execution::kFullGraph);
  ASSERT_EQ(program.graphs.size(), 1U);
  EXPECT_EQ(program.graphs[0].nodes.size(), 6U);
  EXPECT_EQ(program.graphs[0].edges.size(), 5U);
  EXPECT_EQ(count(program, program::CallKind::kLaunchKernel), 1U);
}

TEST(StepProgram, PutsAllInOneGraphWhereTheHeadBelongsToIt) {
  const program::Program program = program_of(Execution::kFullGraph, false);
  ASSERT_EQ(program.graphs.size(), 1U);
  EXPECT_EQ(program.graphs[0].nodes.size(), 7U);
}

TEST(StepProgram, LeavesAttentionOutOfPieces) {
  const program::Program program = program_of(Execution::kPiecewiseGraph);
  EXPECT_EQ(program.graphs.size(), 2U);  // product and all-reduce, twice
  EXPECT_EQ(count(program, program::CallKind::kLaunchKernel), 2U + 1);
}

TEST(StepProgram, WaitsOnceBehindAllSteps) {
  const std::vector<llm::TimedStep> three(3, step());
  const program::Program program =
      llm::step_program(three, {Execution::kFullGraph, 20_us, 4_us, false});
  EXPECT_EQ(count(program, program::CallKind::kLaunchGraph), 3U);
  EXPECT_EQ(count(program, program::CallKind::kSynchronizeStream), 1U);
}

}  // namespace
}  // namespace septet::testing
