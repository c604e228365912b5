#include "models/workload/recorded/import/graph_edges.hpp"

#include <gtest/gtest.h>

#include "tests/models/workload/recorded/recording/recording_maker.hpp"

namespace septet::test {
namespace {

std::vector<std::pair<std::uint32_t, std::uint32_t>> edges(RecordingMaker& maker) {
  maker.call("cudaGraphLaunch", 0, 5, 1);
  const recorded::RecordingIndex index = index_recording(maker.make());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const program::GraphEdge& edge : infer_graph_edges(index, index.calls[0], 500_ns)) {
    found.emplace_back(edge.from, edge.to);
  }
  return found;
}

using Edges = decltype(edges(std::declval<RecordingMaker&>()));

TEST(GraphEdges, FollowTheStreamWhereThereIsOne) {
  RecordingMaker maker;
  maker.kernel(1, 10, 20);
  maker.kernel(1, 21, 30);
  maker.kernel(1, 31, 40);
  EXPECT_EQ(edges(maker), (Edges{{0, 1}, {1, 2}}));
}

TEST(GraphEdges, ForkFromTheNodeThatEndedLastAndJoinWhereANodeStartsAtOnceAfterIt) {
  RecordingMaker maker;
  maker.kernel(1, 10, 20, 7);    // 0: root
  maker.kernel(1, 20.5, 30, 7);  // 1: follows 0
  maker.kernel(1, 20.6, 60, 8);  // 2: fork, follows 0
  maker.kernel(1, 60.5, 70, 7);  // 3: its predecessor 1 ended at 30, so it waited for 2
  EXPECT_EQ(edges(maker), (Edges{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
}

TEST(GraphEdges, HaveNoneIntoRootsThatStartTogether) {
  RecordingMaker maker;
  maker.kernel(1, 10, 20, 7);
  maker.kernel(1, 10.2, 30, 8);
  EXPECT_EQ(edges(maker), (Edges{}));
}

TEST(GraphEdges, DoNotJoinANodeThatStartedRightAfterItsOwnPredecessor) {
  RecordingMaker maker;
  maker.kernel(1, 10, 20, 7);
  maker.kernel(1, 10.2, 19.8, 8);
  maker.kernel(1, 20.5, 30, 7);
  EXPECT_EQ(edges(maker), (Edges{{0, 2}}));
}

}  // namespace
}  // namespace septet::test
