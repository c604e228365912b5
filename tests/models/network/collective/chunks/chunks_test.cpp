#include <gtest/gtest.h>

#include "models/network/collective/chunks/symmetric.hpp"
#include "tests/models/network/collective/chunks/simulated.hpp"

namespace septet::network {
namespace {

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
                 "all_reduce over 1024 ranks: got 1047552 messages in flight, wanted at "
                 "most 524288: fewer ranks, or algorithm hierarchical");
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
}  // namespace septet::network
