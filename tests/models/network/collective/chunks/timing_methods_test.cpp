// Whatever times a collective without simulating it has the time of the simulation.
#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "models/network/collective/chunks/private_rings.hpp"
#include "models/network/collective/chunks/symmetric.hpp"
#include "tests/models/network/collective/chunks/simulated.hpp"

namespace septet::network {
namespace {

struct Case {
  const char* topology;
  program::CollectiveOp op;
  program::CollectiveAlgorithm algorithm;
};

const std::vector<Case> kCases = {
    {"ring16", kAllReduce, kRing},
    {"ring16", kAllGather, kRing},
    {"ring16", kSendReceive, kRing},
    {"switch16", kAllReduce, kRing},
    {"switch16", kAllReduce, kDirect},
    {"switch16", kAllToAll, kDirect},
    {"full16", kReduceScatter, kDirect},
    {"4x4", kAllReduce, kHierarchical},
    {"switch4xring4", kAllReduce, kHierarchical},
    {"full4xswitch2x2", kAllGather, kHierarchical},
    {"switch4xfull4", kAllToAll, kHierarchical},
};
const std::vector<Case> kTrees = {
    {"ring16", kBroadcast, kRing},       {"switch16", kAllReduce, kTree},
    {"switch16", kBroadcast, kTree},     {"switch16", kAllReduce, kNvls},
    {"switch16", kReduceScatter, kNvls}, {"switch16", kAllGather, kNvls},
    {"switch16", kAllReduce, kSharp},
};

std::string text(const Case& one) {
  return std::string(one.topology) + " " + std::string(text_of(one.op)) + " " +
         std::string(text_of(one.algorithm));
}

TEST(SymmetricTime, IsTheChunkLevelTimeToThePicosecond) {
  for (const Case& one : kCases) {
    const Topology topology = plain(levels_of(one.topology, 16, kPlainLink)).build();
    Router router(topology);
    const AlgorithmPlan plan =
        algorithm_plan(router, over_all(topology, one.op, one.algorithm, Bytes(16 * 12'345)));
    const auto analytic = symmetric_time(router, plan);
    ASSERT_TRUE(analytic.has_value()) << text(one);
    EXPECT_EQ(analytic->above, Duration{}) << text(one);
    EXPECT_EQ(analytic->time, simulate_chunks(router, plan).time) << text(one);
  }
}

TEST(SymmetricTime, BoundsSizesThatDoNotDivide) {
  for (const Case& one : kCases) {
    const Topology topology = plain(levels_of(one.topology, 16, kPlainLink)).build();
    Router router(topology);
    const AlgorithmPlan plan =
        algorithm_plan(router, over_all(topology, one.op, one.algorithm, Bytes(999)));
    const auto analytic = symmetric_time(router, plan);
    ASSERT_TRUE(analytic.has_value()) << text(one);
    const Duration exact = simulate_chunks(router, plan).time;
    EXPECT_LE(exact, analytic->time) << text(one);
    EXPECT_GE(exact, analytic->time - analytic->above) << text(one);
  }
}

// A rail-optimised fat tree: rings inside nodes and along rails share no link.
TEST(SymmetricTime, HoldsForNodesOnRails) {
  const Topology tree = fat_tree(small_fat_tree(4, 8, 4)).build();
  Router router(tree);
  const AlgorithmPlan plan =
      algorithm_plan(router, over_all(tree, kAllReduce, kHierarchical, 32_MiB));
  const ChunkResult exact = simulate_chunks(router, plan);
  const auto analytic = symmetric_time(router, plan);
  // Pods are 4 nodes: within a pod 6 links, between pods 8, so not all ranks are alike.
  EXPECT_FALSE(analytic.has_value());
  const Topology one_pod = fat_tree(small_fat_tree(4, 8, 8)).build();
  Router flat(one_pod);
  const AlgorithmPlan same =
      algorithm_plan(flat, over_all(one_pod, kAllReduce, kHierarchical, 32_MiB));
  const auto in_pod = symmetric_time(flat, same);
  ASSERT_TRUE(in_pod.has_value());
  EXPECT_EQ(in_pod->time, simulate_chunks(flat, same).time);
  EXPECT_GT(exact.time, in_pod->time);
}

TEST(SymmetricTime, IsRefusedWhereOneLinkDiffers) {
  TopologyBuilder builder = plain(levels_of("ring", 8, kPlainLink));
  builder.change({.from = "gpu2", .to = "gpu3", .rate_factor = 0.5});
  const Topology topology = builder.build();
  Router router(topology);
  const AlgorithmPlan plan = algorithm_plan(router, over_all(topology, kAllReduce, kRing, 8_MiB));
  EXPECT_FALSE(symmetric_time(router, plan).has_value());
  const Topology whole = ring_of(8);
  Router plain_router(whole);
  const AlgorithmPlan fine =
      algorithm_plan(plain_router, over_all(whole, kAllReduce, kRing, 8_MiB));
  ChunkWork uneven{.compute = std::vector<Duration>(8, 1_us)};
  EXPECT_TRUE(symmetric_time(plain_router, fine, uneven).has_value());
  uneven.compute[5] = 2_us;
  EXPECT_FALSE(symmetric_time(plain_router, fine, uneven).has_value());
}

// Whatever differs between ranks and links, as long as each link has one sender.
TEST(PrivateRings, HaveTheChunkLevelTimesOfUnevenNetworksAndLateRanks) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomStream random({.seed = seed});
    TopologyBuilder builder = plain(levels_of(seed % 2 == 0 ? "ring" : "4x3", 12, kPlainLink));
    const char* pairs[][2] = {{"gpu1", "gpu2"}, {"gpu6", "gpu7"}, {"gpu9", "gpu10"}};
    for (const auto& [from, to] : pairs) {
      builder.change({.from = from,
                      .to = to,
                      .rate_factor = 0.2 + random.uniform(),
                      .latency = from_us(3 * random.uniform())});
    }
    const Topology topology = builder.build();
    Router router(topology);
    const AlgorithmPlan plan = algorithm_plan(
        router, over_all(topology, kAllReduce, seed % 2 == 0 ? kRing : kHierarchical,
                         Bytes(static_cast<std::int64_t>(1000 + random.below(1'000'000)))));
    ChunkWork work{.repeats = 3};
    for (int rank = 0; rank < 12; ++rank) work.compute.push_back(from_us(20 * random.uniform()));
    const auto analytic = private_ring_time(router, plan, work);
    ASSERT_TRUE(analytic.has_value()) << "seed " << seed;
    EXPECT_EQ(analytic->time, simulate_chunks(router, plan, work).time) << "seed " << seed;
  }
}

TEST(PrivateRings, HoldForRailsOfSeveralPods) {
  const Topology tree = fat_tree(small_fat_tree(4, 8, 4)).build();
  Router router(tree);
  const AlgorithmPlan plan =
      algorithm_plan(router, over_all(tree, kAllReduce, kHierarchical, 32_MiB));
  const auto analytic = analytic_time(router, plan);
  ASSERT_TRUE(analytic.has_value());
  EXPECT_EQ(analytic->method, "hierarchical, private links");
  EXPECT_EQ(analytic->time, simulate_chunks(router, plan).time);
}

TEST(PrivateRings, AreRefusedWhereALinkHasTwoSenders) {
  const Topology ring = ring_of(6);
  Router router(ring);
  CollectiveRequest request = over_all(ring, kAllReduce, kRing, 1_MiB);
  request.gpus = {0, 2, 4, 1, 3, 5};  // neighbours in rank are two links apart
  EXPECT_FALSE(private_ring_time(router, algorithm_plan(router, request), {}).has_value());
}

// Bytes that leave each link are those that the algorithm puts on it, whatever the order was.
TEST(ChunkSimulation, PutsOnEachLinkWhatTheAlgorithmSays) {
  std::vector<Case> all = kCases;
  all.insert(all.end(), kTrees.begin(), kTrees.end());
  for (const Case& one : all) {
    const Topology topology = plain(levels_of(one.topology, 16, kPlainLink)).build();
    Router router(topology);
    const AlgorithmPlan plan = algorithm_plan(
        router, over_all(topology, one.op, one.algorithm, Bytes(100'003)), Bytes(5'000));
    const ChunkResult result = simulate_chunks(router, plan);
    std::vector<Bytes> wanted(topology.link_count());
    for (const LinkLoad& load : link_loads(router, plan)) wanted[load.link] = load.bytes;
    for (LinkId link = 0; link < topology.link_count(); ++link) {
      EXPECT_EQ(result.links[link].bytes, wanted[link])
          << text(one) << ": " << topology.link_name(link);
      EXPECT_LE(result.links[link].busy, result.time);
      EXPECT_GE(result.links[link].busy, transfer(wanted[link].count()));
    }
  }
}

}  // namespace
}  // namespace septet::network
