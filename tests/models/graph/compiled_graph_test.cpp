#include "models/graph/compiled_graph.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers numbers(std::span<const std::uint32_t> values) { return {values.begin(), values.end()}; }

program::GraphNode child(std::uint32_t graph) { return {.what = program::ChildGraph{graph}}; }

program::Graph graph_of(std::size_t nodes, std::vector<program::GraphEdge> edges) {
  program::Graph graph;
  graph.name = "made";
  graph.nodes.resize(nodes, {.what = program::LaunchKernel{0}});
  graph.edges = std::move(edges);
  return graph;
}

// The last of `graphs`, compiled.
graph::CompiledGraph compile(std::vector<program::Graph> graphs) {
  program::Program program;
  program.graphs = std::move(graphs);
  return {program, static_cast<std::uint32_t>(program.graphs.size() - 1)};
}

void expect_topological(const graph::CompiledGraph& graph) {
  std::vector<std::size_t> position(graph.nodes().size());
  ASSERT_EQ(graph.order().size(), graph.nodes().size());
  for (std::size_t i = 0; i < graph.order().size(); ++i) position[graph.order()[i]] = i;
  for (std::uint32_t n = 0; n < graph.nodes().size(); ++n) {
    for (const std::uint32_t next : graph.successors(n)) EXPECT_LT(position[n], position[next]);
  }
}

TEST(CompiledGraph, AChainHasOneRootAndIsAsDeepAsItIsLong) {
  const graph::CompiledGraph graph = compile({graph_of(3, {{0, 1}, {1, 2}})});
  EXPECT_EQ(numbers(graph.roots()), (Numbers{0}));
  EXPECT_EQ(numbers(graph.dependencies()), (Numbers{0, 1, 1}));
  EXPECT_EQ(numbers(graph.order()), (Numbers{0, 1, 2}));
  EXPECT_EQ(numbers(graph.successors(0)), (Numbers{1}));
  EXPECT_EQ(numbers(graph.successors(2)), Numbers{});
  EXPECT_EQ(graph.depth(), 3U);
}

TEST(CompiledGraph, WithoutEdgesEveryNodeIsARoot) {
  const graph::CompiledGraph graph = compile({graph_of(3, {})});
  EXPECT_EQ(numbers(graph.roots()), (Numbers{0, 1, 2}));
  EXPECT_EQ(graph.depth(), 1U);
}

TEST(CompiledGraph, AJoinWaitsForEachOfItsBranches) {
  const graph::CompiledGraph graph =
      compile({graph_of(5, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {3, 4}})});
  EXPECT_EQ(numbers(graph.successors(0)), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers(graph.dependencies()), (Numbers{0, 1, 1, 1, 2}));
  EXPECT_EQ(graph.depth(), 3U);
  expect_topological(graph);
}

TEST(CompiledGraph, TheLongestChainGivesTheDepth) {
  // 0 - 1 - 2 - 4 and 0 - 3 - 4
  const graph::CompiledGraph graph =
      compile({graph_of(5, {{0, 3}, {3, 4}, {0, 1}, {1, 2}, {2, 4}})});
  EXPECT_EQ(graph.depth(), 4U);
}

TEST(CompiledGraph, EdgesMayLeadToNodesWithSmallerNumbers) {
  const graph::CompiledGraph graph = compile({graph_of(4, {{3, 2}, {2, 0}, {3, 1}})});
  EXPECT_EQ(numbers(graph.roots()), (Numbers{3}));
  EXPECT_EQ(numbers(graph.successors(3)), (Numbers{1, 2}));
  EXPECT_EQ(graph.order().front(), 3U);
  EXPECT_EQ(graph.depth(), 3U);
  expect_topological(graph);
}

TEST(CompiledGraph, ADoubledEdgeIsOneDependency) {
  const graph::CompiledGraph graph = compile({graph_of(2, {{0, 1}, {0, 1}})});
  EXPECT_EQ(numbers(graph.dependencies()), (Numbers{0, 1}));
  EXPECT_EQ(numbers(graph.successors(0)), (Numbers{1}));
}

TEST(CompiledGraph, ACircleIsRefusedByTheGraphsName) {
  for (const std::vector<program::GraphEdge>& circle :
       {std::vector<program::GraphEdge>{{0, 1}, {1, 2}, {2, 1}},
        std::vector<program::GraphEdge>{{1, 1}}}) {
    try {
      compile({graph_of(3, circle)});
      ADD_FAILURE() << "accepted";
    } catch (const ConfigError& error) {
      EXPECT_STREQ(error.what(), "graph 'made': its nodes have a cyclic dependency");
    }
  }
}

TEST(CompiledGraph, AChildGraphStandsBetweenTwoEmptyNodes) {
  // Kernel, child of two kernels in a chain, kernel:
  // 0 -> [1 empty -> 2 -> 3 -> 4 empty] -> 5, and the empty nodes enclose each inner node.
  program::Graph outer = graph_of(3, {{0, 1}, {1, 2}});
  outer.nodes[1] = child(0);
  const graph::CompiledGraph graph = compile({graph_of(2, {{0, 1}}), outer});
  ASSERT_EQ(graph.nodes().size(), 6U);
  EXPECT_TRUE(program::is<program::EmptyNode>(graph.nodes()[1]));
  EXPECT_TRUE(program::is<program::LaunchKernel>(graph.nodes()[2]));
  EXPECT_TRUE(program::is<program::EmptyNode>(graph.nodes()[4]));
  EXPECT_EQ(numbers(graph.successors(0)), (Numbers{1}));
  EXPECT_EQ(numbers(graph.successors(1)), (Numbers{2, 3}));
  EXPECT_EQ(numbers(graph.successors(2)), (Numbers{3, 4}));
  EXPECT_EQ(numbers(graph.successors(4)), (Numbers{5}));
  EXPECT_EQ(numbers(graph.dependencies()), (Numbers{0, 1, 1, 2, 2, 1}));
  EXPECT_EQ(graph.depth(), 6U);
}

TEST(CompiledGraph, AChildGraphMayBeUsedTwiceAndHoldAnotherOne) {
  program::Graph middle = graph_of(1, {});
  middle.nodes[0] = child(0);
  program::Graph outer = graph_of(2, {{0, 1}});
  outer.nodes = {child(1), child(1)};
  const graph::CompiledGraph graph = compile({graph_of(1, {}), middle, outer});
  // Each use: two empty nodes of the middle graph around two of the inner one around a kernel.
  EXPECT_EQ(graph.nodes().size(), 10U);
  EXPECT_EQ(graph.depth(), 10U);
  EXPECT_EQ(numbers(graph.roots()), (Numbers{0}));
  const auto kernels = std::count_if(
      graph.nodes().begin(), graph.nodes().end(),
      [](const program::GraphNode& n) { return program::is<program::LaunchKernel>(n); });
  EXPECT_EQ(kernels, 2);
  expect_topological(graph);
}

TEST(CompiledGraph, BranchesInsideAChildGraphStayParallel) {
  program::Graph outer = graph_of(1, {});
  outer.nodes[0] = child(0);
  const graph::CompiledGraph graph = compile({graph_of(2, {}), outer});
  // 0 empty, 1 and 2 kernels, 3 empty
  EXPECT_EQ(numbers(graph.successors(0)), (Numbers{1, 2}));
  EXPECT_EQ(numbers(graph.successors(1)), (Numbers{3}));
  EXPECT_EQ(graph.depth(), 3U);
}

TEST(CompiledGraph, TheSameGraphGivesTheSameOrder) {
  const program::Graph wide = graph_of(6, {{5, 0}, {4, 1}, {3, 2}, {0, 2}, {1, 2}});
  EXPECT_EQ(numbers(compile({wide}).order()), numbers(compile({wide}).order()));
  expect_topological(compile({wide}));
}

}  // namespace
}  // namespace septet::test
