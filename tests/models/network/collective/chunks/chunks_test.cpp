#include <numeric>

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/chunks/private_rings.hpp"
#include "models/network/collective/chunks/symmetric.hpp"
#include "models/network/topology/shape_text.hpp"
#include "tests/models/network/topology/networks.hpp"

namespace septet {
namespace {

using enum CollectiveOp;
using enum CollectiveAlgorithm;

CollectiveRequest over_all(const Topology& topology, CollectiveOp op, CollectiveAlgorithm algorithm,
                           Bytes bytes) {
  CollectiveRequest request{.op = op, .bytes = bytes, .gpus = {}, .algorithm = algorithm};
  request.gpus.resize(topology.gpu_count());
  std::iota(request.gpus.begin(), request.gpus.end(), 0U);
  return request;
}

ChunkResult simulate(const Topology& topology, CollectiveOp op, CollectiveAlgorithm algorithm,
                     Bytes bytes, const ChunkWork& work = {}, Bytes tree_chunk = kTreeChunk) {
  Router router(topology);
  const AlgorithmPlan plan =
      algorithm_plan(router, over_all(topology, op, algorithm, bytes), tree_chunk);
  return simulate_chunks(router, plan, work);
}

// kPlainLink: 50 GB/s, 20 ps a byte, and 500 ns.
constexpr Duration kLatency = Duration(500'000);
constexpr Duration transfer(std::int64_t bytes) { return Duration(20 * bytes); }

TEST(ChunkSimulation, ARingTakesTwoTimesItsLengthLessTwoSteps) {
  for (const std::uint32_t ranks : {2U, 3U, 8U, 64U}) {
    const Topology ring = ring_of(ranks);
    const ChunkResult result = simulate(ring, kAllReduce, kRing, Bytes(4096 * ranks));
    EXPECT_EQ(result.time, (kLatency + transfer(4096)) * (2 * (ranks - 1))) << ranks;
    EXPECT_EQ(result.sends, std::uint64_t{2} * ranks * (ranks - 1));
    EXPECT_EQ(result.events, result.sends + ranks);  // one link a send, and the ranks that join
    for (const Duration finish : result.finish_at) EXPECT_EQ(finish, result.time);
  }
}

TEST(ChunkSimulation, HalfOfAnAllReduceTakesHalfTheTime) {
  const Topology ring = ring_of(8);
  const Duration half = (kLatency + transfer(4096)) * 7;
  EXPECT_EQ(simulate(ring, kReduceScatter, kRing, Bytes(8 * 4096)).time, half);
  EXPECT_EQ(simulate(ring, kAllGather, kRing, Bytes(8 * 4096)).time, half);
  EXPECT_EQ(simulate(ring, kSendReceive, kRing, Bytes(4096)).time, kLatency + transfer(4096));
}

// Over a switch a message is on its second link while it still comes over the first one.
TEST(ChunkSimulation, SwitchesCutThroughOrStore) {
  const Topology topology = switch_of(4);
  const Bytes bytes(100'000);
  EXPECT_EQ(simulate(topology, kSendReceive, kRing, bytes).time, 2 * kLatency + transfer(100'000));
  const ChunkWork stored{.forwarding = Forwarding::kStoreAndForward};
  EXPECT_EQ(simulate(topology, kSendReceive, kRing, bytes, stored).time,
            2 * kLatency + 2 * transfer(100'000));
}

// A chain of 8 with 5 pieces: the last piece leaves the root after 5 transfers, and takes 7 hops.
TEST(ChunkSimulation, ABroadcastGoesDownTheChainPieceByPiece) {
  const Topology ring = ring_of(8);
  const ChunkResult result = simulate(ring, kBroadcast, kRing, Bytes(50'000), {}, Bytes(10'000));
  EXPECT_EQ(result.time, 4 * transfer(10'000) + 7 * (kLatency + transfer(10'000)));
}

// All seven others at once over the one link up: the last message is through after seven.
TEST(ChunkSimulation, DirectMessagesWaitForTheSendersLink) {
  const ChunkResult result = simulate(switch_of(8), kAllToAll, kDirect, Bytes(8 * 4096));
  EXPECT_EQ(result.time, 7 * transfer(4096) + 2 * kLatency);
  EXPECT_EQ(simulate(full_of(8), kAllToAll, kDirect, Bytes(8 * 4096)).time,
            transfer(4096) + kLatency);
}

// gpu0 and gpu1 behind one cable to where gpu2 and gpu3 are: two messages over it, one after the
// other.
TEST(ChunkSimulation, MessagesQueueForASharedCable) {
  TopologyBuilder builder;
  const VertexId left = builder.add(VertexKind::kSwitch, "left");
  const VertexId right = builder.add(VertexKind::kSwitch, "right");
  builder.connect(left, right, CableKind::kPlain, kPlainLink);
  for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
    const VertexId vertex = builder.add(VertexKind::kGpu, "gpu" + std::to_string(gpu));
    builder.connect(vertex, gpu < 2 ? left : right, CableKind::kPlain, kPlainLink);
  }
  const Topology topology = builder.build();
  Router router(topology);
  // Ranks 0 and 2 are left: every message crosses.
  CollectiveRequest request{.op = kSendReceive, .bytes = Bytes(100'000), .gpus = {0, 2, 1, 3}};
  request.algorithm = kRing;
  const AlgorithmPlan plan = algorithm_plan(router, request);
  EXPECT_EQ(simulate_chunks(router, plan).time, 2 * transfer(100'000) + 3 * kLatency);
  EXPECT_FALSE(symmetric_time(router, plan).has_value());
}

// The longest chain of messages starts at the late rank and is as long as the whole ring.
TEST(ChunkSimulation, ALateRankDelaysAll) {
  const Topology ring = ring_of(8);
  ChunkWork work;
  work.compute.assign(8, Duration{});
  work.compute[3] = 1_ms;
  const Duration alone = simulate(ring, kAllReduce, kRing, 8_MiB).time;
  EXPECT_EQ(simulate(ring, kAllReduce, kRing, 8_MiB, work).time, 1_ms + alone);
}

TEST(ChunkSimulation, LayersFollowOneAnother) {
  const Topology ring = ring_of(8);
  const Duration alone = simulate(ring, kAllReduce, kRing, 8_MiB).time;
  const ChunkWork work{.repeats = 5, .compute = std::vector<Duration>(8, 100_us)};
  const ChunkResult result = simulate(ring, kAllReduce, kRing, 8_MiB, work);
  EXPECT_EQ(result.time, 5 * (100_us + alone));
  EXPECT_EQ(result.sends, 5U * 2 * 8 * 7);
}

// A slow cable is never a gain, and the whole ring cannot be faster than all bytes over it.
TEST(ChunkSimulation, ADegradedLinkHoldsTheRingUp) {
  TopologyBuilder builder = plain(levels_of("ring", 8, kPlainLink));
  builder.change({.from = "gpu2", .to = "gpu3", .rate_factor = 0.25});
  const Duration slow = simulate(builder.build(), kAllReduce, kRing, 8_MiB).time;
  EXPECT_GT(slow, simulate(ring_of(8), kAllReduce, kRing, 8_MiB).time);
  EXPECT_GE(slow, 4 * transfer(14 << 20));
}

TEST(ChunkSimulation, NamesTheRanksThatHaveNoPath) {
  TopologyBuilder builder = plain(levels_of("switch", 4, kPlainLink));
  builder.change({.from = "gpu2", .to = "switch0.0", .failed = true});
  const Topology topology = builder.build();
  try {
    simulate(topology, kAllReduce, kRing, 8_MiB);
    FAIL() << "gpu2 has no link left";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "all_reduce over 4 ranks, from rank 1 to rank 2: network: got no path from gpu1 "
                 "to gpu2, wanted a path of links that have not failed");
  }
}

// 1,024 ranks, each with 1,023 others at once, do not fit; as rings they do.
TEST(ChunkSimulation, RefusesMoreMessagesAtOnceThanItCanHold) {
  const Topology topology = ring_of(1024);
  try {
    simulate(topology, kAllReduce, kDirect, 1_MiB);
    FAIL() << "a million messages at once";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "all_reduce over 1024 ranks: got 1047552 messages under way at once, wanted at "
                 "most 524288: fewer ranks, or algorithm hierarchical");
  }
}

struct Case {
  const char* topology;
  CollectiveOp op;
  CollectiveAlgorithm algorithm;
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

TEST(ChunkSimulation, TheDigestTellsRunsApartAndNotTheirRepetition) {
  const Topology topology = switch_of(16);
  const auto digest = [&](Bytes bytes) {
    return simulate(topology, kAllReduce, kTree, bytes).digest;
  };
  EXPECT_EQ(digest(1_MiB), digest(1_MiB));
  EXPECT_NE(digest(1_MiB), digest(2_MiB));
}

// In the switch the data goes up once and down once, at the same time: 1 + 1/n of it with NVLS.
TEST(ChunkSimulation, InSwitchReductionBeatsTheRing) {
  const Topology topology = switch_of(8);
  const Duration ring = simulate(topology, kAllReduce, kRing, 64_MiB).time;
  const Duration nvls = simulate(topology, kAllReduce, kNvls, 64_MiB).time;
  const Duration sharp = simulate(topology, kAllReduce, kSharp, 64_MiB).time;
  const Duration once = transfer(64 << 20);
  EXPECT_GT(ring, scale(once, 1.75));  // 2 (n - 1) / n
  EXPECT_GT(nvls, scale(once, 1.125));
  EXPECT_LT(nvls, scale(once, 1.3));
  EXPECT_GT(sharp, once);
  EXPECT_LT(sharp, scale(once, 1.1));
}

// Every rank sends and receives two halves, each of them twice at most: no faster than 2 S / B.
TEST(ChunkSimulation, DoubleBinaryTreesKeepTheirLinksBusy) {
  const Duration tree = simulate(switch_of(16), kAllReduce, kTree, 64_MiB).time;
  const Duration least = 2 * transfer(64 << 20);
  EXPECT_GT(tree, scale(least, 0.99));
  EXPECT_LT(tree, scale(least, 1.3));
}

}  // namespace
}  // namespace septet
