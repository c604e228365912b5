// Nodes of graphs alone, without an engine. A node follows the one that it depends on after 10 us;
// the launcher starts ready nodes 1 us apart, the two dependents of a fork 2 us apart; more than
// two dependents are many, which takes 5 us more.
#include "models/gpu/graphs/graph_runs.hpp"

#include <gtest/gtest.h>

#include "models/program/builder.hpp"

namespace septet::test {
namespace {

using gpu::GraphRuns;

constexpr std::uint32_t kCommand = 40;
constexpr std::uint32_t kWork = 70;

gpu::FrontEndSpec spec() {
  gpu::FrontEndSpec spec;
  spec.graph_node_gap = 10_us;
  spec.triggered_node_gap = 3_us;
  spec.graph_node_interval = 1_us;
  spec.graph_fork_interval = 2_us;
  spec.graph_fork_max = 2;
  spec.graph_fan_gap = 5_us;
  spec.node_trigger_latency = 4_us;
  spec.node_release_latency = 6_us;
  return spec;
}

Instant at(Duration time) { return Instant() + time; }

program::GraphNode kernel_node(bool programmatic = false) {
  program::GraphNode node;
  node.what = program::LaunchKernel{0, programmatic};
  return node;
}

// Runs of one graph.
struct Runs {
  Runs(std::vector<program::GraphNode> nodes, std::vector<program::GraphEdge> edges) {
    builder.kernel(program::spin_kernel(1, 32, 1_us));
    builder.graph({"made", std::move(nodes), std::move(edges)});
    program = builder.take();
    compiled.emplace_back(program, 0);
  }

  // What was ready when, in the order of the steps.
  std::vector<std::pair<std::uint32_t, Instant>> ready() const {
    std::vector<std::pair<std::uint32_t, Instant>> out;
    for (const gpu::GraphRuns::Step& step : runs.steps()) {
      if (step.work == kNone) out.emplace_back(step.node, step.at);
    }
    return out;
  }

  program::ProgramBuilder builder;
  program::Program program;
  std::vector<graph::CompiledGraph> compiled;
  const gpu::FrontEndSpec front_end = spec();
  gpu::GraphRuns runs{front_end, compiled};
};

using Ready = std::vector<std::pair<std::uint32_t, Instant>>;

std::vector<program::GraphNode> kernels(std::size_t count) {
  return std::vector<program::GraphNode>(count, kernel_node());
}

TEST(GraphRuns, StartWithTheirRootsOneAfterTheOther) {
  Runs made(kernels(3), {{0, 2}, {1, 2}});
  const std::uint32_t run = made.runs.start(0, kCommand, at(100_us));
  EXPECT_EQ(made.runs.command(run), kCommand);
  EXPECT_EQ(made.ready(), (Ready{{0, at(100_us)}, {1, at(101_us)}}));
  EXPECT_TRUE(made.runs.is_root(run, 1));
  EXPECT_FALSE(made.runs.is_root(run, 2));
}

TEST(GraphRuns, ANodeIsReadyAGapAfterTheLastThatItDependsOn) {
  Runs made(kernels(3), {{0, 2}, {1, 2}});
  const std::uint32_t run = made.runs.start(0, kCommand, at(0_us));
  EXPECT_FALSE(made.runs.end(run, 0, false, at(20_us)));
  EXPECT_EQ(made.ready(), Ready{});
  EXPECT_FALSE(made.runs.end(run, 1, false, at(50_us)));
  EXPECT_EQ(made.ready(), (Ready{{2, at(60_us)}}));
  EXPECT_TRUE(made.runs.end(run, 2, false, at(80_us))) << "the last one";
}

TEST(GraphRuns, ATriggeredNodesDependentHasAShorterGap) {
  Runs made(kernels(2), {{0, 1}});
  const std::uint32_t run = made.runs.start(0, kCommand, at(0_us));
  made.runs.end(run, 0, true, at(20_us));
  EXPECT_EQ(made.ready(), (Ready{{1, at(23_us)}}));
}

TEST(GraphRuns, FewDependentsAreStartedOneByOneAndManyPreparedTogether) {
  Runs few(kernels(3), {{0, 1}, {0, 2}});
  std::uint32_t run = few.runs.start(0, kCommand, at(0_us));
  few.runs.end(run, 0, false, at(20_us));
  EXPECT_EQ(few.ready(), (Ready{{1, at(30_us)}, {2, at(32_us)}}));
  Runs many(kernels(4), {{0, 1}, {0, 2}, {0, 3}});
  run = many.runs.start(0, kCommand, at(0_us));
  many.runs.end(run, 0, false, at(20_us));
  EXPECT_EQ(many.ready(), (Ready{{1, at(35_us)}, {2, at(36_us)}, {3, at(37_us)}}));
}

TEST(GraphRuns, AllGraphsShareTheLauncher) {
  Runs made(kernels(1), {});
  made.runs.start(0, kCommand, at(0_us));
  made.runs.start(0, kCommand + 1, at(0_us));
  EXPECT_EQ(made.ready(), (Ready{{0, at(1_us)}}));
}

TEST(GraphRuns, ATriggerMakesAProgrammaticDependentReadyAndTheEndReleasesIt) {
  Runs made({kernel_node(), kernel_node(true)}, {{0, 1}});
  const std::uint32_t run = made.runs.start(0, kCommand, at(0_us));
  EXPECT_FALSE(made.runs.gate(run, 0, kWork));
  made.runs.trigger(run, 0, at(20_us));
  EXPECT_EQ(made.ready(), (Ready{{1, at(24_us)}}));
  EXPECT_TRUE(made.runs.gate(run, 1, kWork)) << "it started early";
  made.runs.end(run, 0, true, at(50_us));
  ASSERT_EQ(made.runs.steps().size(), 1U);
  EXPECT_EQ(made.runs.steps()[0].work, kWork);
  EXPECT_EQ(made.runs.steps()[0].at, at(56_us));
}

TEST(GraphRuns, ANodeWhoseTurnCameAfterTheEndNeedsNoRelease) {
  Runs made({kernel_node(), kernel_node(true)}, {{0, 1}});
  const std::uint32_t run = made.runs.start(0, kCommand, at(0_us));
  made.runs.trigger(run, 0, at(20_us));
  made.runs.end(run, 0, true, at(21_us));
  EXPECT_TRUE(made.runs.steps().empty()) << "it is ready already";
  EXPECT_FALSE(made.runs.gate(run, 1, kWork));
}

TEST(GraphRuns, ADependentOfSeveralNodesWaitsForAllOfThem) {
  Runs made({kernel_node(), kernel_node(), kernel_node(true)}, {{0, 2}, {1, 2}});
  const std::uint32_t run = made.runs.start(0, kCommand, at(0_us));
  made.runs.trigger(run, 0, at(20_us));
  EXPECT_TRUE(made.runs.steps().empty());
}

}  // namespace
}  // namespace septet::test
