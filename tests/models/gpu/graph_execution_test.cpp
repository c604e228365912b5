// CUDA graphs node by node. A graph launched at 0 costs the CPU 2 us, arrives at 3 and starts its
// roots at 5; a node follows the one it depends on after 0.5 us.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

program::GraphNode kernel_node(std::uint32_t kernel) {
  return {.what = program::LaunchKernel{kernel}};
}

// Two streams, kernels of 10 us (0) and 30 us (1).
struct Maker : program::ProgramBuilder {
  Maker() {
    kernel(program::spin_kernel(1, 32, 10_us));
    kernel(program::spin_kernel(1, 32, 30_us));
    stream();
    stream();
    thread();
  }
};

program::Graph graph_of(std::vector<program::GraphNode> nodes,
                        std::vector<program::GraphEdge> edges) {
  program::Graph graph;
  graph.name = "made";
  graph.nodes = std::move(nodes);
  graph.edges = std::move(edges);
  return graph;
}

// One launch of `graph` at 0.
TimedRun launched(const program::Graph& graph, const system::SystemSpec& system = round_system()) {
  Maker maker;
  maker.graph(graph);
  maker.launch_graph(0, 0);
  return TimedRun(maker.take(), system);
}

// A root of 10 us and `width` nodes that depend on it.
program::Graph fork(std::uint32_t width) {
  program::Graph graph = graph_of({kernel_node(0)}, {});
  for (std::uint32_t w = 1; w <= width; ++w) {
    graph.nodes.push_back(kernel_node(0));
    graph.edges.push_back({0, w});
  }
  return graph;
}

TEST(GraphExecution, NodesOfAChainFollowAfterTheNodeGap) {
  const TimedRun run = launched(program::chain_graph(0, 3));
  EXPECT_EQ(run.node_start(0), 5_us);
  EXPECT_EQ(run.node_start(1), 15_us + 500_ns);
  EXPECT_EQ(run.node_start(2), 26_us);
  EXPECT_EQ(run.node(0).cause, records::WaitCause::kSubmission);
  EXPECT_EQ(run.node(1).cause, records::WaitCause::kGraph);
}

TEST(GraphExecution, BranchesRunAtTheSameTimeAndAJoinWaitsForTheLast) {
  const TimedRun run =
      launched(graph_of({kernel_node(0), kernel_node(0), kernel_node(1), kernel_node(0)},
                        {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(run.node_start(1), 15_us + 500_ns);
  EXPECT_EQ(run.node_start(2), 15_us + 500_ns);
  EXPECT_EQ(run.node_start(3), 46_us);  // 15.5 + 30 + 0.5
}

// Nodes 1 us apart; dependents of one node 0.2 us, if there are at most three; of more, all of them
// are prepared first, which takes 2 us.
system::SystemSpec with_intervals() {
  system::SystemSpec system = round_system();
  system.gpu.front_end.graph_node_interval = 1_us;
  system.gpu.front_end.graph_fork_interval = 200_ns;
  system.gpu.front_end.graph_fork_max = 3;
  system.gpu.front_end.graph_fan_gap = 2_us;
  return system;
}

TEST(GraphExecution, RootsStartOneByOne) {
  const TimedRun run =
      launched(graph_of({kernel_node(0), kernel_node(0), kernel_node(0)}, {}), with_intervals());
  for (int n = 0; n < 3; ++n) EXPECT_EQ(run.node_start(n), 5_us + 1_us * n) << n;
}

TEST(GraphExecution, AFewDependentsStartAForkIntervalApart) {
  const TimedRun run = launched(fork(3), with_intervals());
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(run.node_start(n + 1), 15_us + 500_ns + 200_ns * n) << n;
  }
}

TEST(GraphExecution, ManyDependentsStartLaterAndANodeIntervalApart) {
  const TimedRun run = launched(fork(4), with_intervals());
  for (int n = 0; n < 4; ++n) EXPECT_EQ(run.node_start(n + 1), 17_us + 500_ns + 1_us * n) << n;
}

TEST(GraphExecution, GraphsOnAllStreamsShareTheNodeLauncher) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.graph_node_interval = 5_us;
  Maker maker;
  maker.graph(program::chain_graph(0, 1));
  maker.launch_graph(0, 0);
  maker.launch_graph(0, 1);  // from 2 to 4: its root could start at 7
  EXPECT_EQ(TimedRun(maker.take(), system).start(1), 10_us);
}

TEST(GraphExecution, EmptyAndHostNodesTakeOnlyTheGaps) {
  for (const program::GraphNode& node : {program::GraphNode{.what = program::EmptyNode{}},
                                         program::GraphNode{.what = program::HostWork{}}}) {
    const TimedRun run =
        launched(graph_of({kernel_node(0), node, kernel_node(0)}, {{0, 1}, {1, 2}}));
    EXPECT_EQ(run.node_start(2), 16_us);
  }
}

TEST(GraphExecution, AChildGraphRunsInItsPlace) {
  Maker maker;
  maker.graph(graph_of({kernel_node(1), kernel_node(0)}, {}));  // two branches
  maker.graph(graph_of({kernel_node(0), {.what = program::ChildGraph{0}}, kernel_node(0)},
                       {{0, 1}, {1, 2}}));
  maker.launch_graph(1, 0);
  const TimedRun run(maker.take());
  // 0: 5 to 15; 1, the child's entry, at 15.5; 2 and 3 at 16, until 46 and 26; 4, its exit, at
  // 46.5; 5 at 47.
  EXPECT_EQ(run.node_start(2), 16_us);
  EXPECT_EQ(run.node_start(3), 16_us);
  EXPECT_EQ(run.node_start(5), 47_us);
}

TEST(GraphExecution, CopiesAndMemsetsRunAsNodes) {
  system::SystemSpec system = round_system();
  system.gpu.copy.host_to_device = 1_GBps;
  system.gpu.copy.memset_in_l2 = system.gpu.copy.memset = 2_GBps;
  const Bytes size(10'000);
  const program::GraphNode copy{
      .what = program::Copy{.direction = program::CopyDirection::kHostToDevice, .bytes = size}};
  const program::GraphNode memset{.what = program::Memset{size}};
  const TimedRun run = launched(graph_of({copy, memset, kernel_node(0)}, {{0, 1}, {1, 2}}), system);
  EXPECT_EQ(run.end(0, 0), 15_us);  // 5 + 10
  EXPECT_EQ(run.node_start(1), 15_us + 500_ns);
  EXPECT_EQ(run.end(0, 1), 20_us + 500_ns);
  EXPECT_EQ(run.node_start(2), 21_us);
}

TEST(GraphExecution, RecordedNodesKeepTheirDurations) {
  Maker maker;
  program::Kernel recorded = program::spin_kernel(1000, 1024, 0_us);
  recorded.work = program::RecordedWork{};
  program::Graph graph = program::chain_graph(maker.kernel(recorded), 2);
  time_in(graph.nodes[0]) = 7_us;
  time_in(graph.nodes[1]) = 3_us;
  maker.graph(graph);
  maker.launch_graph(0, 0);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.end(0, 0), 12_us);
  EXPECT_EQ(run.end(0, 1), 15_us + 500_ns);
}

TEST(GraphOrder, AKernelBehindAGraphWaitsForAllItsNodes) {
  Maker maker;
  maker.graph(graph_of({kernel_node(0), kernel_node(1)}, {}));  // until 15 and 35
  maker.launch_graph(0, 0);
  maker.launch(0, 0);
  EXPECT_EQ(TimedRun(maker.take()).start(0, 2), 36_us);
}

TEST(GraphOrder, AGraphBehindAKernelStartsAfterItsOwnGap) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.graph_gap = 3_us;
  Maker maker;
  maker.graph(program::chain_graph(0, 1));
  maker.launch(0, 0);  // until 17
  maker.launch_graph(0, 0);
  maker.launch_graph(0, 0);
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(run.start(0, 1), 20_us);
  EXPECT_EQ(run.works(0).at(1).cause, records::WaitCause::kStreamOrder)
      << "the root waits as its graph does";
  EXPECT_EQ(run.start(0, 2), 33_us);
}

TEST(GraphOrder, StreamsWaitForGraphsThroughEvents) {
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.graph(program::chain_graph(0, 2));  // 5 to 15, 15.5 to 25.5
  maker.launch_graph(0, 0);
  maker.record(event, 0);
  maker.wait(event, 1);
  maker.launch(0, 1);
  EXPECT_EQ(TimedRun(maker.take()).start(1), 25_us + 500_ns);
}

TEST(GraphOrder, NodesShareTheSmsWithOtherStreams) {
  Maker maker;
  const std::uint32_t wide =
      maker.kernel(program::spin_kernel(8, 1024, 50_us));  // fills the four SMs
  maker.graph(program::chain_graph(wide, 1));
  maker.launch_graph(0, 0);  // 5 to 55
  maker.launch(wide, 1);
  EXPECT_EQ(TimedRun(maker.take()).start(1), 55_us);
}

}  // namespace
}  // namespace septet::test
