// Programmatic dependent launch. Every kernel works for 10 us: 4 before it waits for the kernel
// before it, having let its own dependents start, and 6 after that. The dependent starts 1 us after
// the trigger; its wait returns 2 us after the end of the kernel before.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec programmatic_system() {
  system::SystemSpec system = round_system();
  system.gpu.front_end.trigger_latency = 1_us;
  system.gpu.front_end.release_latency = 2_us;
  system.gpu.front_end.triggered_stream_gap = 500_ns;
  system.gpu.front_end.node_trigger_latency = 1_us;
  system.gpu.front_end.node_release_latency = 2_us;
  system.gpu.front_end.triggered_node_gap = 200_ns;
  return system;
}

program::Kernel triggering_kernel(std::uint64_t blocks = 1, std::uint32_t threads = 32) {
  program::Kernel kernel = program::spin_kernel(blocks, threads, 10_us);
  auto& work = std::get<program::FixedBlockWork>(kernel.work);
  work.triggers = true;
  work.prologue = 4_us;
  return kernel;
}

// Kernel 0 triggers, kernel 1 does not.
struct Maker : program::ProgramBuilder {
  static constexpr std::uint32_t kTriggering = 0;
  static constexpr std::uint32_t kPlain = 1;

  Maker() {
    kernel(triggering_kernel());
    kernel(program::spin_kernel(1, 32, 10_us));
    stream();
    thread();
  }
};

TEST(ProgrammaticLaunch, OverlapsThePrologueWithTheKernelBefore) {
  Maker maker;
  maker.launch(Maker::kTriggering, 0);
  maker.launch(Maker::kTriggering, 0, true);
  const TimedRun run(maker.take(), programmatic_system());
  EXPECT_EQ(run.end(0, 0), 17_us);
  EXPECT_EQ(run.start(0, 1), 12_us);  // trigger at 7 + 4
  EXPECT_EQ(run.end(0, 1), 25_us);    // 17 + 2 + 6
}

TEST(ProgrammaticLaunch, ChainsFromKernelToKernel) {
  Maker maker;
  maker.launch(Maker::kTriggering, 0);
  maker.launch(Maker::kTriggering, 0, true);
  maker.launch(Maker::kTriggering, 0, true);
  const TimedRun run(maker.take(), programmatic_system());
  EXPECT_EQ(run.start(0, 2), 17_us);  // the second, from 12, triggers at 16
  EXPECT_EQ(run.end(0, 2), 33_us);    // 25 + 2 + 6
}

TEST(ProgrammaticLaunch, NeedsATriggerToStartEarly) {
  Maker maker;
  maker.launch(Maker::kPlain, 0);
  maker.launch(Maker::kTriggering, 0, true);
  const TimedRun run(maker.take(), programmatic_system());
  EXPECT_EQ(run.start(0, 1), 18_us);
  EXPECT_EQ(run.end(0, 1), 28_us);
}

TEST(ProgrammaticLaunch, WithoutTheAttributeATriggerOnlyShortensTheGap) {
  Maker maker;
  maker.launch(Maker::kTriggering, 0);
  maker.launch(Maker::kPlain, 0);
  const TimedRun run(maker.take(), programmatic_system());
  EXPECT_EQ(run.start(0, 1), 17_us + 500_ns);
}

TEST(ProgrammaticLaunch, ThatArrivesAfterTheTriggerStartsAtOnce) {
  Maker maker;
  maker.launch(Maker::kTriggering, 0);
  maker.work(4_us);
  maker.launch(Maker::kTriggering, 0, true);  // arrives at 13, could start at 15
  const TimedRun run(maker.take(), programmatic_system());
  EXPECT_EQ(run.start(0, 1), 15_us);
  EXPECT_EQ(run.end(0, 1), 25_us);  // its prologue is over at 19, when the wait returns
}

TEST(ProgrammaticLaunch, ThatArrivesAfterTheEndIsAnOrdinaryOne) {
  Maker maker;
  maker.launch(Maker::kTriggering, 0);
  maker.work(26_us);
  maker.launch(Maker::kTriggering, 0, true);  // from 30
  const TimedRun run(maker.take(), programmatic_system());
  EXPECT_EQ(run.start(0, 1), 37_us);
  EXPECT_EQ(run.end(0, 1), 47_us);
}

TEST(ProgrammaticLaunch, WaitsForRoomLikeAnyOther) {
  program::ProgramBuilder builder;
  builder.kernel(triggering_kernel(8, 1024));  // fills the four SMs
  builder.stream();
  builder.thread();
  builder.launch(0, 0);
  builder.launch(0, 0, true);
  const TimedRun run(builder.take(), programmatic_system());
  EXPECT_EQ(run.start(0, 1), 17_us);
  EXPECT_EQ(run.end(0, 1), 27_us);  // the gate opens at 19, before its prologue is over
}

TEST(ProgrammaticLaunch, AnOrdinaryKernelBehindItWaitsForItsEnd) {
  Maker maker;
  maker.launch(Maker::kTriggering, 0);
  maker.launch(Maker::kTriggering, 0, true);  // ends at 25
  maker.launch(Maker::kPlain, 0);
  const TimedRun run(maker.take(), programmatic_system());
  EXPECT_EQ(run.start(0, 2), 25_us + 500_ns);
}

TEST(ProgrammaticLaunch, OfARecordedKernelFollowsWithoutAGap) {
  Maker maker;
  program::Kernel recorded = program::spin_kernel(1, 32, 0_us);
  recorded.work = program::RecordedWork{};
  const std::uint32_t kernel = maker.kernel(recorded);
  maker.launch(kernel, 0);
  maker.launch(kernel, 0, true);
  maker.launch(kernel, 0);
  program::Program program = maker.take();
  for (program::Call& call : program.threads[0].calls) time_in(call) = 10_us;
  const TimedRun run(program, programmatic_system());
  EXPECT_EQ(run.start(0, 1), 17_us);
  EXPECT_EQ(run.start(0, 2), 28_us);
}

// A graph launched at 0 starts its root at 5.
TimedRun run_graph(std::uint32_t nodes, bool programmatic) {
  program::ProgramBuilder builder;
  builder.kernel(triggering_kernel());
  builder.graph(program::chain_graph(0, nodes, programmatic));
  builder.stream();
  builder.thread();
  builder.launch_graph(0, 0);
  return TimedRun(builder.take(), programmatic_system());
}

TEST(ProgrammaticEdge, OverlapsThePrologueWithTheNodeBefore) {
  const TimedRun run = run_graph(3, true);
  EXPECT_EQ(run.node_start(1), 10_us);  // trigger at 9
  EXPECT_EQ(run.end(0, 1), 23_us);      // 15 + 2 + 6
  EXPECT_EQ(run.node_start(2), 15_us);  // trigger at 14
  EXPECT_EQ(run.end(0, 2), 31_us);      // 23 + 2 + 6
}

TEST(ProgrammaticEdge, LackingATriggerOnlyShortensTheGap) {
  EXPECT_EQ(run_graph(2, false).node_start(1), 15_us + 200_ns);
}

TEST(ProgrammaticEdge, IntoANodeWithFurtherDependenciesWaitsForAllOfThem) {
  program::ProgramBuilder builder;
  builder.kernel(triggering_kernel());
  program::Graph graph = program::chain_graph(0, 3);
  graph.edges = {{0, 2}, {1, 2}};
  program::as<program::LaunchKernel>(graph.nodes[2]).programmatic = true;
  builder.graph(graph);
  builder.stream();
  builder.thread();
  builder.launch_graph(0, 0);
  EXPECT_EQ(TimedRun(builder.take(), programmatic_system()).node_start(2), 15_us + 200_ns);
}

}  // namespace
}  // namespace septet::test
