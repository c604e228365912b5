#include <functional>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/algorithms/tree.hpp"
#include "models/network/collective/schedule/group.hpp"
#include "models/network/collective/schedule/phase_schedule.hpp"
#include "tests/models/network/topology/networks.hpp"

namespace septet::network {
namespace {

CollectiveRequest request(program::CollectiveOp op, program::CollectiveAlgorithm algorithm,
                          Bytes bytes, std::uint32_t ranks) {
  CollectiveRequest out{.op = op, .bytes = bytes, .gpus = {}, .algorithm = algorithm};
  out.gpus.resize(ranks);
  std::iota(out.gpus.begin(), out.gpus.end(), 0U);
  return out;
}

std::string message(const Topology& topology, const CollectiveRequest& wrong) {
  try {
    Router router(topology);
    algorithm_plan(router, wrong);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BinaryTree, HasTheParentsOfNccls) {
  // Leaves are odd; 4 is the only child of 0, 2 and 6 hang below 4.
  const std::vector<std::uint32_t> wanted = {kNoParent, 2, 4, 2, 0, 6, 4, 6};
  for (std::uint32_t rank = 0; rank < 8; ++rank) EXPECT_EQ(binary_parent(rank, 8), wanted[rank]);
  EXPECT_EQ(binary_parent(5, 6), 4U);  // 6 would be its parent, if it existed
}

// Reduction and broadcast at full rate need that no rank is inside both trees.
TEST(BinaryTree, ARankInsideOneTreeIsALeafOfTheOther) {
  for (std::uint32_t ranks = 2; ranks <= 65; ++ranks) {
    const Forest forest = double_binary_trees(ranks, Bytes(1001));
    EXPECT_EQ(forest.bytes[0] + forest.bytes[1], Bytes(1001));
    std::vector<std::map<std::uint32_t, int>> children(2);  // by endpoint
    for (const TreeNode& node : forest.nodes) {
      if (node.parent == kNoParent) continue;
      EXPECT_EQ(forest.nodes[node.parent].tree, node.tree);
      ++children[node.tree][forest.nodes[node.parent].endpoint];
    }
    for (const auto& [endpoint, count] : children[0]) {
      EXPECT_LE(count, 2);
      // With an odd number of ranks the root of the first tree is shifted into the second one.
      EXPECT_FALSE(ranks % 2 == 0 && children[1].contains(endpoint)) << ranks << ": " << endpoint;
    }
  }
}

// Each share reaches each rank once: rank r sends shares r-1, r-2, ... of a reduce-scatter, so that
// the sum of share r ends at rank r.
TEST(Phases, ARingPassesEachShareAllTheWayRound) {
  const Levels levels({5});
  const CollectivePhase scatter{.part = PhasePart::kReduceScatter};
  const Bytes bytes(7);  // shares 2, 2, 1, 1, 1
  for (std::uint32_t rank = 0; rank < 5; ++rank) {
    for (std::uint32_t step = 0; step < 4; ++step) {
      const ChunkSend send = phase_send(levels, scatter, bytes, rank, step);
      EXPECT_EQ(send.to, (rank + 1) % 5);
      EXPECT_EQ(send.bytes, share_of(bytes, 5, (rank + 9 - step) % 5));
    }
    // What comes last is one's own share.
    const std::uint32_t before = (rank + 4) % 5;
    EXPECT_EQ(phase_send(levels, scatter, bytes, before, 3).bytes, share_of(bytes, 5, rank));
  }
}

TEST(Phases, SharesAddUpToTheWhole) {
  for (std::uint32_t parts = 1; parts < 20; ++parts) {
    Bytes sum{};
    for (std::uint32_t i = 0; i < parts; ++i) sum += share_of(Bytes(101), parts, i);
    EXPECT_EQ(sum, Bytes(101));
  }
}

TEST(Phases, LevelsReduceInwardAndGatherOutward) {
  const auto phases =
      phases_of(program::CollectiveOp::kAllReduce, {PhasePattern::kRing, PhasePattern::kDirect});
  const std::vector<CollectivePhase> wanted = {
      {PhasePart::kReduceScatter, PhasePattern::kRing, 0},
      {PhasePart::kReduceScatter, PhasePattern::kDirect, 1},
      {PhasePart::kAllGather, PhasePattern::kDirect, 1},
      {PhasePart::kAllGather, PhasePattern::kRing, 0}};
  EXPECT_EQ(phases, wanted);
}

TEST(Phases, ARankTakesWhatCameBeforeItJoined) {
  PhaseSchedule schedule(
      Levels({2}), phases_of(program::CollectiveOp::kAllReduce, {PhasePattern::kRing}), Bytes(10));
  Schedule::Sends sends;
  schedule.join(0, sends);
  ASSERT_EQ(sends.size(), 1U);
  const std::uint64_t label = sends[0].label;
  sends.clear();
  schedule.receive(1, label, sends);
  EXPECT_TRUE(sends.empty());
  schedule.join(1, sends);
  EXPECT_EQ(sends.size(), 2U);  // its half, and the sum of the other half
  EXPECT_FALSE(schedule.finished(1));
}

TEST(Groups, AreNamedWhereTheyCannotWork) {
  const Topology topology = switch_of(4);
  const auto ring = [](std::vector<std::uint32_t> gpus) {
    CollectiveRequest out{.bytes = 8_B, .gpus = std::move(gpus)};
    return out;
  };
  EXPECT_EQ(message(topology, ring({2})),
            "all_reduce over 1 ranks: got a group of 1, wanted at least 2 ranks");
  EXPECT_EQ(message(topology, ring({0, 3, 1, 3})),
            "all_reduce over 4 ranks: got GPU 3 twice, at ranks 1 and 3, wanted each GPU once");
  EXPECT_EQ(message(topology, ring({0, 4})),
            "all_reduce over 2 ranks: got GPU 4 at rank 1, wanted one of the GPUs 0 to 3");
  CollectiveRequest broadcast = ring({0, 1});
  broadcast.op = program::CollectiveOp::kBroadcast;
  broadcast.peer = 2;
  EXPECT_EQ(message(topology, broadcast),
            "broadcast over 2 ranks: got rank 2 as the root, wanted one of the ranks 0 to 1");
}

TEST(Groups, RefuseAlgorithmsThatDoNotFit) {
  using enum program::CollectiveOp;
  using enum program::CollectiveAlgorithm;
  const Topology topology = switch_of(4);
  EXPECT_EQ(message(topology, request(kAllReduce, kHierarchical, 8_B, 4)),
            "all_reduce over 4 ranks: got algorithm hierarchical, wanted several nodes with "
            "equally many ranks in each");
  EXPECT_EQ(
      message(topology, request(kAllGather, kTree, 8_B, 4)),
      "all_gather over 4 ranks: got algorithm tree, wanted ring, direct, hierarchical or nvls for "
      "all_gather");
  EXPECT_EQ(message(topology, request(kAllToAll, kRing, 8_B, 4)),
            "all_to_all over 4 ranks: got algorithm ring, wanted direct or hierarchical for "
            "all_to_all");
  EXPECT_EQ(message(topology, request(kBroadcast, kDirect, 8_B, 4)),
            "broadcast over 4 ranks: got algorithm direct, wanted ring or tree for broadcast");
  EXPECT_EQ(message(ring_of(4), request(kAllReduce, kNvls, 8_B, 4)),
            "all_reduce over 4 ranks: got nvls over gpu1, wanted ranks on one NVSwitch");
  EXPECT_EQ(
      message(topology, request(kAllGather, kSharp, 8_B, 4)),
      "all_gather over 4 ranks: got algorithm sharp, wanted ring, direct, hierarchical or nvls for "
      "all_gather");
}

// Two nodes of four, two ranks in each.
TEST(Groups, WithoutLevelsSayWhatTheyLack) {
  const Topology tree = fat_tree(small_fat_tree(4, 2, 2)).build();
  CollectiveRequest levels = request(program::CollectiveOp::kAllReduce,
                                     program::CollectiveAlgorithm::kHierarchical, 8_B, 4);
  levels.gpus = {0, 4, 1, 5};
  EXPECT_EQ(message(tree, levels),
            "all_reduce over 4 ranks: got algorithm hierarchical, wanted ranks ordered by node");
  levels.gpus = {0, 1, 2, 4};
  EXPECT_EQ(message(tree, levels),
            "all_reduce over 4 ranks: got algorithm hierarchical, wanted several nodes with "
            "equally many ranks in each");
}

TEST(Groups, ExtentsFollowTheNodes) {
  const Topology tree = fat_tree(small_fat_tree(4, 4, 2)).build();
  using Gpus = std::vector<std::uint32_t>;
  EXPECT_EQ(group_extents(tree, {0, 1, 2, 3}), Gpus({4}));
  EXPECT_EQ(group_extents(tree, {0, 1, 4, 5, 8, 9}), Gpus({2, 3}));
  EXPECT_EQ(group_extents(tree, {0, 4, 8, 12}), Gpus({4}));       // a rail
  EXPECT_EQ(group_extents(tree, {0, 1, 4, 8}), Gpus({4}));        // unequal
  EXPECT_EQ(group_extents(tree, {0, 4, 1, 5}), Gpus({4}));        // not one after the other
  EXPECT_EQ(group_extents(tree, {0, 1, 4, 5, 2, 3}), Gpus({6}));  // node 0 twice
}

// NVLS: n + 1 shares up and as many down, for all GPUs alike.
TEST(SwitchTrees, NvlsMovesOneShareMoreThanTheData) {
  const Topology topology = switch_of(8);
  Router router(topology);
  const AlgorithmPlan plan = algorithm_plan(
      router,
      request(program::CollectiveOp::kAllReduce, program::CollectiveAlgorithm::kNvls, 8_MiB, 8));
  const auto loads = link_loads(router, plan);
  ASSERT_EQ(loads.size(), 16U);
  for (const LinkLoad& load : loads) EXPECT_EQ(load.bytes, 9_MiB);
}

// SHARP over 4 nodes of 2: each rail has half of the data, which crosses each NIC once each way.
TEST(SwitchTrees, SharpSendsEachRailsShareOnceOverEachNic) {
  const Topology tree = fat_tree(small_fat_tree(2, 4, 2)).build();
  Router router(tree);
  const AlgorithmPlan plan = algorithm_plan(
      router,
      request(program::CollectiveOp::kAllReduce, program::CollectiveAlgorithm::kSharp, 8_MiB, 8));
  std::uint32_t of_nics = 0;
  for (const LinkLoad& load : link_loads(router, plan)) {
    if (tree.link(load.link).kind != CableKind::kNetwork) continue;
    const VertexKind from = tree.vertex(tree.link(load.link).from).kind;
    const VertexKind to = tree.vertex(tree.link(load.link).to).kind;
    if (from != VertexKind::kNic && to != VertexKind::kNic) continue;
    ++of_nics;
    EXPECT_EQ(load.bytes, 4_MiB) << tree.link_name(load.link);
  }
  EXPECT_EQ(of_nics, 16U);
}

TEST(Phases, ARingsMessagesOfOneRankAddUpToAllSharesButOne) {
  const Levels levels({3, 4});
  const Bytes bytes(1007);
  for (const PhasePart part :
       {PhasePart::kReduceScatter, PhasePart::kAllGather, PhasePart::kShift}) {
    for (std::uint32_t level = 0; level < levels.count(); ++level) {
      const CollectivePhase phase{.part = part, .pattern = PhasePattern::kRing, .level = level};
      for (std::uint32_t rank = 0; rank < levels.ranks(); ++rank) {
        Bytes together{};
        const ShareSizes sizes = ring_sizes(levels, phase, bytes, rank);
        for (std::uint32_t step = 0; step < phase_steps(phase, levels.extent(level)); ++step) {
          const Bytes one = phase_send(levels, phase, bytes, rank, step).bytes;
          together += one;
          EXPECT_TRUE(one == sizes.larger || one == sizes.smaller);
        }
        const ChunkSend all = ring_send(levels, phase, bytes, rank);
        EXPECT_EQ(all.bytes, together);
        EXPECT_EQ(all.to, levels.shifted(rank, level, 1));
      }
    }
  }
}

// 4,096 ranks have 4,096 x 4,095 pairs.
TEST(LinkLoads, RefuseMorePairsThanCanBeRouted) {
  const Topology flat =
      plain({{.shape = PlainShape::kSwitch, .extent = 4096, .link = kPlainLink}}).build();
  Router router(flat);
  const AlgorithmPlan direct =
      algorithm_plan(router, request(program::CollectiveOp::kAllToAll,
                                     program::CollectiveAlgorithm::kDirect, 1_MiB, 4096));
  EXPECT_EQ(messages_at_once(direct), 4096U * 4095U);
  try {
    link_loads(router, direct);
    FAIL() << "sixteen million routes";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "all_to_all over 4096 ranks: got 16773120 messages, each to a different rank, "
                 "wanted at most 8388608: fewer ranks, or another algorithm");
  }
}

}  // namespace
}  // namespace septet::network
