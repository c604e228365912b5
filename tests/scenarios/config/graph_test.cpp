#include <algorithm>

#include "tests/scenarios/config/testing.hpp"
#include "tests/support/calls.hpp"

namespace septet::config {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Edges edges_of(const program::Graph& graph) {
  Edges out;
  for (const program::GraphEdge& edge : graph.edges) out.emplace_back(edge.from, edge.to);
  std::sort(out.begin(), out.end());
  return out;
}

// A scenario with streams m, b0 and b1, kernel k and a graph whose body is in line 15.
std::string with_graph(const std::string& body) {
  return scenario_with(
      "{ launch_graph = \"g\", stream = \"s\" }",
      "[[stream]]\nname = \"b\"\ncount = 2\n[[graph]]\nname = \"g\"\n" + body + "\n");
}

program::Graph graph_of(const std::string& body) {
  return scenario_of(with_graph(body)).program.graphs.at(0);
}

TEST(GraphReader, ReadsNodesOfEveryKind) {
  const program::Graph graph = graph_of(
      "nodes = [{ name = \"a\", kernel = \"k\" }, { name = \"c\", copy = \"1 KiB\", after = \"a\" "
      "}, "
      "{ name = \"f\", memset = \"2 KiB\" }, { name = \"h\", host = \"4 us\" }, "
      "{ empty = true, after = [\"c\", \"f\", \"h\", \"c\"] }]");
  ASSERT_EQ(graph.nodes.size(), 5U);
  EXPECT_TRUE(program::is<program::LaunchKernel>(graph.nodes[0]));
  EXPECT_TRUE(program::is<program::Copy>(graph.nodes[1]));
  EXPECT_EQ(program::as<program::Copy>(graph.nodes[1]).bytes, 1_KiB);
  EXPECT_EQ(program::as<program::Copy>(graph.nodes[1]).direction,
            program::CopyDirection::kDeviceToDevice);
  EXPECT_TRUE(program::is<program::Memset>(graph.nodes[2]));
  EXPECT_TRUE(program::is<program::HostWork>(graph.nodes[3]));
  EXPECT_EQ(test::time_in(graph.nodes[3]), 4_us);
  EXPECT_TRUE(program::is<program::EmptyNode>(graph.nodes[4]));
  EXPECT_EQ(edges_of(graph), (Edges{{0, 1}, {1, 4}, {2, 4}, {3, 4}}));
}

TEST(GraphReader, TakesChildrenThatWereDescribedEarlier) {
  const std::string child = "[[graph]]\nname = \"p\"\nnodes = [{ graph = \"g\" }]";
  const Scenario scenario = scenario_of(with_graph("nodes = [{ kernel = \"k\" }]\n" + child));
  const program::GraphNode& node = scenario.program.graphs.at(1).nodes.at(0);
  EXPECT_EQ(program::as<program::ChildGraph>(node).graph, 0U);
}

TEST(GraphReader, TakesAsManyNodesAsTheScenarioAllows) {
  // An empty node and two that hold the graph of one node: its begin and end count too.
  const std::string outer =
      "[[graph]]\nname = \"p\"\nnodes = [{ graph = \"g\" }, { graph = \"g\" }, { empty = true }]";
  const std::string text = with_graph("nodes = [{ kernel = \"k\" }]\n" + outer);
  EXPECT_EQ(scenario_of(text, {"run.max_graph_nodes=7"}).program.graphs.size(), 2U);
  EXPECT_EQ(mistake([&] { scenario_of(text, {"run.max_graph_nodes=6"}); }),
            "test.toml:16:1: graph.p: got 7 nodes with those of the graphs inside, wanted at most "
            "6; run.max_graph_nodes allows more");
}

TEST(GraphReader, RefusesANodeThatWaitsForALaterOne) {
  EXPECT_EQ(
      mistake([] {
        graph_of("nodes = [{ kernel = \"k\", after = \"b\" }, { name = \"b\", kernel = \"k\" }]");
      }),
      "test.toml:15:34: graph.g.nodes.0.after: got \"b\", wanted the name of an earlier node "
      "(none)");
}

TEST(GraphReader, RefusesAGraphInsideItself) {
  EXPECT_EQ(mistake([] { graph_of("nodes = [{ graph = \"g\" }]"); }),
            "test.toml:15:20: graph.g.nodes.0.graph: got \"g\", wanted the name of a graph (none)");
}

TEST(GraphReader, WantsNodesOrACapture) {
  EXPECT_EQ(mistake([] { graph_of(""); }),
            "test.toml:13:1: graph.g: got a graph without nodes, wanted either `nodes` or "
            "`capture`");
}

TEST(GraphCapture, ChainsTheCallsOfAStream) {
  const program::Graph graph = graph_of(
      "capture = [{ repeat = 2, steps = [{ launch = \"k\", stream = \"s\", times = 2 }] }]");
  ASSERT_EQ(graph.nodes.size(), 4U);
  EXPECT_EQ(edges_of(graph), (Edges{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(GraphCapture, ForksAndJoinsThroughEvents) {
  const program::Graph graph = graph_of(
      "capture = [{ launch = \"k\", stream = \"s\" }, { record = \"f\", stream = \"s\" }, "
      "{ wait = \"f\", stream = \"b\" }, { launch = \"k\", stream = \"b\", times = 2 }, "
      "{ record = \"j\", stream = \"b\" }, { wait = \"j\", stream = \"s\" }, "
      "{ memset = \"1 B\", stream = \"s\" }]");
  // 0 is the root, 1 and 2 run on b0, 3 and 4 on b1, 5 joins and also follows 0 on its stream.
  ASSERT_EQ(graph.nodes.size(), 6U);
  EXPECT_TRUE(program::is<program::Memset>(graph.nodes[5]));
  EXPECT_EQ(edges_of(graph), (Edges{{0, 1}, {0, 3}, {0, 5}, {1, 2}, {2, 5}, {3, 4}, {4, 5}}));
}

TEST(GraphCapture, RefusesAStreamThatHasNotJoined) {
  EXPECT_EQ(mistake([] {
              graph_of(
                  "capture = [{ launch = \"k\", stream = \"s\" }, { launch = \"k\", stream = "
                  "\"b0\" }]");
            }),
            "test.toml:15:69: graph.g.capture.1.stream: got stream 'b0', which is not capturing, "
            "wanted first a wait on it for a captured event");
}

TEST(GraphCapture, RefusesABranchThatNothingWaitsFor) {
  EXPECT_EQ(mistake([] {
              graph_of(
                  "capture = [{ launch = \"k\", stream = \"s\" }, { record = \"f\", stream = "
                  "\"s\" }, { wait = \"f\", stream = \"b0\" }, { launch = \"k\", stream = "
                  "\"b0\" }]");
            }),
            "test.toml:15:11: graph.g.capture: got work on stream 'b0' that is not joined, "
            "wanted a record on it and a wait that joins it to 's'");
}

TEST(GraphCapture, RefusesStepsThatBelongToTheCpu) {
  EXPECT_EQ(mistake([] { graph_of("capture = [{ host_work = \"1 us\" }]"); }),
            "test.toml:15:26: graph.g.capture.0.host_work: got a step that can't be captured, "
            "wanted one of: launch, launch_graph, copy, memset, collective, record, wait, repeat");
}

TEST(GraphCapture, RefusesAWaitForAnEventThatNothingRecorded) {
  EXPECT_EQ(mistake([] { graph_of("capture = [{ wait = \"e\", stream = \"s\" }]"); }),
            "test.toml:15:21: graph.g.capture.0.wait: got 'e', wanted an event recorded by an "
            "earlier step of the capture");
}

}  // namespace
}  // namespace septet::config
