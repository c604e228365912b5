#include "models/program/builder.hpp"

#include <gtest/gtest.h>

#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

TEST(ProgramBuilder, NumbersEachKindOfObjectFromZero) {
  program::ProgramBuilder builder;
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(builder.kernel(program::spin_kernel(1, 32, 1_us)), i);
    EXPECT_EQ(builder.graph(program::chain_graph(0, 1)), i);
    EXPECT_EQ(builder.stream(), i);
    EXPECT_EQ(builder.event(), i);
    EXPECT_EQ(builder.signal(), i);
    EXPECT_EQ(builder.queue(), i);
    EXPECT_EQ(builder.thread(), i);
  }
  const program::Program program = builder.take();
  EXPECT_EQ(program.events, 2U);
  EXPECT_EQ(program.signals, 2U);
  EXPECT_EQ(program.queues, 2U);
}

TEST(ProgramBuilder, HasOneProcessAndOneDeviceUnlessSomethingNamesMore) {
  program::ProgramBuilder builder;
  builder.stream();
  builder.thread();
  EXPECT_EQ(builder.take().processes, 1U);

  program::ProgramBuilder more;
  more.stream(0, 1, 2);
  more.thread(3);
  const program::Program program = more.take();
  EXPECT_EQ(program.processes, 4U);
  EXPECT_EQ(program.devices, 3U);
}

TEST(ProgramBuilder, GivesCallsToTheThreadAddedLast) {
  program::ProgramBuilder builder;
  builder.stream();
  builder.kernel(program::spin_kernel(1, 32, 1_us));
  builder.thread(0, "first");
  builder.launch(0, 0);
  builder.thread(0, "second");
  builder.work(5_us);
  builder.synchronize_device();
  const program::Program program = builder.take();
  ASSERT_EQ(program.threads.size(), 2U);
  EXPECT_EQ(program.threads[0].calls.size(), 1U);
  ASSERT_EQ(program.threads[1].calls.size(), 2U);
  EXPECT_EQ(program.threads[1].calls[0].kind(), program::CallKind::kHostWork);
  EXPECT_EQ(time_in(program.threads[1].calls[0]), 5_us);
}

TEST(ProgramBuilder, OnlyAPageableCopyToTheHostBlocks) {
  program::ProgramBuilder builder;
  builder.stream();
  builder.thread();
  builder.copy(0, program::CopyDirection::kDeviceToHost, 1_KiB, true);
  builder.copy(0, program::CopyDirection::kDeviceToHost, 1_KiB, false);
  builder.copy(0, program::CopyDirection::kHostToDevice, 1_KiB, false);
  const std::vector<program::Call> calls = builder.take().threads[0].calls;
  EXPECT_FALSE(is_blocking(calls[0]));
  EXPECT_TRUE(is_blocking(calls[1]));
  EXPECT_FALSE(is_blocking(calls[2]));
}

TEST(ProgramBuilder, FurtherItemsOfOneStoreCostNothing) {
  program::ProgramBuilder builder;
  builder.queue();
  builder.thread();
  builder.push(0, 3_us);
  builder.push(0, 3_us, false);
  const std::vector<program::Call> calls = builder.take().threads[0].calls;
  EXPECT_EQ(calls[0].cost, program::kModelled);
  EXPECT_EQ(calls[1].cost, 0_us);
  EXPECT_EQ(time_in(calls[1]), 3_us);
}

TEST(ProgramBuilder, ListsOnceWhatIsEqual) {
  program::ProgramBuilder builder;
  EXPECT_EQ(builder.string("step"), 0U);
  EXPECT_EQ(builder.string("other"), 1U);
  EXPECT_EQ(builder.string("step"), 0U);
  program::Kernel kernel = program::spin_kernel(1, 32, 1_us);
  EXPECT_EQ(builder.kernel_once(kernel), 0U);
  kernel.shape.grid.x = 2;  // another shape under the same name
  EXPECT_EQ(builder.kernel_once(kernel), 1U);
  EXPECT_EQ(builder.kernel_once(kernel), 1U);
  program::Collective collective;
  collective.bytes = 1_KiB;
  EXPECT_EQ(builder.collective_once(collective), 0U);
  collective.peer = 1;
  EXPECT_EQ(builder.collective_once(collective), 1U);
  EXPECT_EQ(builder.collective_once(collective), 1U);
  EXPECT_EQ(builder.program().kernels.size(), 2U);
}

TEST(ProgramBuilder, GoesOnFromAProgram) {
  program::ProgramBuilder first;
  first.string("step");
  first.kernel(program::spin_kernel(1, 32, 1_us));
  program::ProgramBuilder second(first.take());
  EXPECT_EQ(second.string("step"), 0U);
  EXPECT_EQ(second.kernel_once(program::spin_kernel(1, 32, 1_us)), 0U);
  EXPECT_EQ(second.kernel(program::spin_kernel(1, 32, 1_us)), 1U);
}

TEST(ProgramBuilder, PutsCallsIntoTheThreadOrListThatWasAddedLast) {
  program::ProgramBuilder builder;
  builder.thread();
  builder.work(1_us);
  EXPECT_EQ(builder.call_list(), 0U);
  builder.work(2_us);
  builder.work(3_us);
  builder.thread();
  builder.work(4_us);
  const program::Program program = builder.take();
  EXPECT_EQ(program.threads[0].calls.size(), 1U);
  EXPECT_EQ(program.call_lists[0].size(), 2U);
  EXPECT_EQ(program.threads[1].calls.size(), 1U);
}

TEST(SpinKernel, WatchesTheClockInEveryBlock) {
  const program::Kernel kernel = program::spin_kernel(12, 256, 3_us);
  EXPECT_EQ(kernel.shape.blocks(), 12U);
  EXPECT_EQ(kernel.shape.threads_per_block(), 256U);
  const auto& work = std::get<program::FixedBlockWork>(kernel.work);
  EXPECT_EQ(work.block_time, 3_us);
  EXPECT_TRUE(work.by_clock);
  EXPECT_FALSE(work.triggers);
}

TEST(ChainGraph, TiesEachNodeToTheOneBeforeIt) {
  const program::Graph graph = program::chain_graph(4, 3, true);
  ASSERT_EQ(graph.nodes.size(), 3U);
  ASSERT_EQ(graph.edges.size(), 2U);
  for (std::uint32_t e = 0; e < 2; ++e) {
    EXPECT_EQ(graph.edges[e].from, e);
    EXPECT_EQ(graph.edges[e].to, e + 1);
  }
  const auto launch = [](const program::Graph& chain, std::size_t node) {
    return program::as<program::LaunchKernel>(chain.nodes[node]);
  };
  EXPECT_EQ(launch(graph, 2).kernel, 4U);
  // The first node has no edge that could be programmatic.
  EXPECT_FALSE(launch(graph, 0).programmatic);
  EXPECT_TRUE(launch(graph, 1).programmatic);
  EXPECT_FALSE(launch(program::chain_graph(4, 3), 1).programmatic);
}

}  // namespace
}  // namespace septet::test
