#include "models/program/work_size.hpp"

#include <gtest/gtest.h>

#include "models/program/builder.hpp"

namespace septet::program {
namespace {

Graph nested(std::uint32_t inner) {
  Graph graph;
  graph.nodes = {GraphNode{ChildGraph{inner}}, GraphNode{ChildGraph{inner}}};
  return graph;
}

TEST(WorkSize, CountsCallsCommandsAndThreadsOfBlocks) {
  ProgramBuilder build;
  const std::uint32_t stream = build.stream();
  const std::uint32_t kernel = build.kernel(spin_kernel(10, 64, 1_us));
  build.thread();
  build.launch(kernel, stream);
  build.memset(stream, Bytes(8));
  build.synchronize_device();
  const WorkSize size = work_size(build.program());
  EXPECT_EQ(size.calls, 3);
  EXPECT_EQ(size.gpu_commands, 2);
  EXPECT_EQ(size.block_threads, 640);
}

TEST(WorkSize, SpellsGraphsOutForEachLaunch) {
  ProgramBuilder build;
  const std::uint32_t stream = build.stream();
  const std::uint32_t kernel = build.kernel(spin_kernel(1, 32, 1_us));
  const std::uint32_t chain = build.graph(chain_graph(kernel, 5));
  const std::uint32_t outer = build.graph(nested(chain));
  build.thread();
  build.launch_graph(outer, stream);
  build.launch_graph(outer, stream);
  const WorkSize size = work_size(build.program());
  EXPECT_EQ(size.calls, 2);
  EXPECT_EQ(size.gpu_commands, 20);
  EXPECT_EQ(size.block_threads, 20 * 32);
}

TEST(WorkSize, ThreadsThatShareTheirCallsMakeThemEach) {
  ProgramBuilder build;
  const std::uint32_t stream = build.stream();
  const std::uint32_t list = build.call_list();
  build.memset(stream, Bytes(8));
  HostThread thread;
  thread.list = list;
  for (int i = 0; i < 3; ++i) build.thread(thread);
  EXPECT_EQ(work_size(build.program()).gpu_commands, 3);
}

// Each graph holds the one before twice: 2 n + 4 nodes.
TEST(WorkSize, NodesOfGraphsInsideGraphsDoNotWrap) {
  Graph innermost;
  innermost.nodes.resize(2, GraphNode{EmptyNode{}});
  std::vector<double> nodes{nodes_with_children(innermost, {})};
  for (std::uint32_t i = 0; i < 200; ++i) nodes.push_back(nodes_with_children(nested(i), nodes));
  EXPECT_EQ(nodes[0], 2);
  EXPECT_EQ(nodes[1], 8);
  EXPECT_EQ(nodes[2], 20);
  EXPECT_GT(nodes[200], 1e60);
}

}  // namespace
}  // namespace septet::program
