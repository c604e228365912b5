// What each algorithm takes inside a node, worked out by hand.
#include <gtest/gtest.h>

#include "models/network/collective/algorithms/registry.hpp"
#include "tests/models/network/collective_spec.hpp"

namespace septet::test {
namespace {

using Op = program::CollectiveOp;
using Protocol = program::CollectiveProtocol;

network::CollectiveTime time_of(program::CollectiveAlgorithm algorithm, Op op, Protocol protocol,
                                std::uint32_t ranks, Bytes bytes, std::uint32_t channels) {
  const network::NodeCollective what{
      .op = op, .protocol = protocol, .ranks = ranks, .bytes = bytes, .channels = channels};
  return network::algorithm_of(algorithm).node.time(round_spec(), what);
}

network::CollectiveTime ring_time(Op op, Protocol protocol, std::uint32_t ranks, Bytes bytes,
                                  std::uint32_t channels) {
  return time_of(program::CollectiveAlgorithm::kRing, op, protocol, ranks, bytes, channels);
}

network::CollectiveTime tree_time(Protocol protocol, std::uint32_t ranks, Bytes bytes,
                                  std::uint32_t channels) {
  return time_of(program::CollectiveAlgorithm::kTree, Op::kAllReduce, protocol, ranks, bytes,
                 channels);
}

network::CollectiveTime nvls_time(Op op, std::uint32_t ranks, Bytes bytes) {
  return time_of(program::CollectiveAlgorithm::kNvls, op, Protocol::kSimple, ranks, bytes, 1);
}

network::CollectiveTime all_to_all_time(Protocol protocol, std::uint32_t ranks, Bytes bytes,
                                        std::uint32_t channels) {
  return time_of(program::CollectiveAlgorithm::kDirect, Op::kAllToAll, protocol, ranks, bytes,
                 channels);
}

// By Simple: 10 us to start, 3 us a step.
TEST(Protocol, RingsPassPartsOnOnceOrTwiceAround) {
  const auto steps = [](program::CollectiveAlgorithm algorithm, Op op, std::uint32_t ranks) {
    const Duration startup = time_of(algorithm, op, Protocol::kSimple, ranks, 8_B, 1).startup;
    return to_us(startup - 10_us) / 3;
  };
  EXPECT_EQ(steps(program::CollectiveAlgorithm::kRing, Op::kAllReduce, 8), 14);
  EXPECT_EQ(steps(program::CollectiveAlgorithm::kRing, Op::kAllGather, 8), 7);
  EXPECT_EQ(steps(program::CollectiveAlgorithm::kRing, Op::kReduceScatter, 2), 1);
  EXPECT_EQ(steps(program::CollectiveAlgorithm::kRing, Op::kBroadcast, 4), 3);
  EXPECT_EQ(steps(program::CollectiveAlgorithm::kDirect, Op::kSend, 2), 1);
}

// Two ranks and two channels: 8,000 / 2 / 2 = 2,000 bytes a step and channel, 1,000 of them beyond
// what latency covers: 1 us at 1 GB/s, in each of two steps.
TEST(Protocol, FlaggedStepsHideSomeBytesBehindTheirLatency) {
  const network::CollectiveTime time =
      ring_time(Op::kAllReduce, Protocol::kLowLatency, 2, 8000_B, 2);
  EXPECT_EQ(time.startup, 3_us + 2 * 1_us);
  EXPECT_EQ(time.transfer, 2_us);
  const network::CollectiveTime covered =
      ring_time(Op::kAllReduce, Protocol::kLowLatency, 2, 4000_B, 2);
  EXPECT_EQ(covered.transfer, 0_us);
}

// Four ranks: 3 steps of 1 MB, at half of 100 GB/s, 60 us; the GPU's own part, 1 MB at 200 GB/s,
// 5 us; the first slice of 10 channels, the most of it, 20 kB at 50 GB/s, 0.4 us.
TEST(Protocol, SimpleSendsWholeSlicesAndCopiesTheGpusOwnPart) {
  const network::CollectiveTime time =
      ring_time(Op::kAllGather, Protocol::kSimple, 4, 4'000'000_B, 10);
  EXPECT_EQ(time.startup, 10_us + 3 * 3_us);
  EXPECT_EQ(time.transfer, 60_us + 5_us + 400_ns);
}

// 1 MB once through each link, 20 us, without a copy; first slice as above.
TEST(Protocol, BroadcastsPassTheWholeBufferOn) {
  const network::CollectiveTime time =
      ring_time(Op::kBroadcast, Protocol::kSimple, 4, 1'000'000_B, 10);
  EXPECT_EQ(time.startup, 10_us + 3 * 3_us);
  EXPECT_EQ(time.transfer, 20_us + 400_ns);
}

// Four ranks: 1.25 x 4 MB at 50 GB/s, and the full pipeline of 1 MB at 500 GB/s.
TEST(Protocol, SwitchesTakeBytesOnceAndAShareOfTheRanksMore) {
  const network::CollectiveTime time = nvls_time(Op::kAllReduce, 4, 4'000'000_B);
  EXPECT_EQ(time.startup, 20_us);
  EXPECT_EQ(time.transfer, 100_us + 2_us);
}

// Half an all-reduce: each GPU sends 4 MB to the switch and has the sum of 1 MB back, or sends 1 MB
// and has 4 MB back. Either way a direction of its link carries 4 MB at 50 GB/s.
TEST(Protocol, SwitchesScatterSumsAndGatherSharesInLessThanAnAllReduce) {
  for (const Op op : {Op::kAllGather, Op::kReduceScatter}) {
    EXPECT_EQ(nvls_time(op, 4, 4'000'000_B).transfer, 80_us + 2_us);
  }
}

// 64 channels of 2 GB/s would send 128 GB/s over a link of 100. An all-reduce of two ranks sends
// all bytes once: 64 MB at 120 / 128 of 100 GB/s, of which two steps of 2 us are part.
TEST(Protocol, FlagsLeaveTheirShareOfTheLinkToData) {
  const Bytes size = 64'000'000_B;
  const network::CollectiveTime ll128 =
      ring_time(Op::kAllReduce, Protocol::kLowLatency128, 2, size, 64);
  EXPECT_EQ(ll128.startup + ll128.transfer, 6_us + from_seconds(64e6 / (100e9 * 120 / 128)));
  // 100 channels of 1 GB/s: half of the link is left to data. A chain sends everything twice.
  const network::CollectiveTime ll = ring_time(Op::kAllReduce, Protocol::kLowLatency, 2, size, 100);
  EXPECT_EQ(ll.startup + ll.transfer, 3_us + from_seconds(64e6 / 50e9));
  const network::CollectiveTime tree = tree_time(Protocol::kLowLatency, 3, size, 1000);
  EXPECT_EQ(tree.startup + tree.transfer, 3_us + from_seconds(2 * 64e6 / 50e9));
}

// 72 ranks: 71 channels of 2 GB/s would send 142 GB/s; each sends 71 x 10 kB.
TEST(Protocol, SmallMessagesToAllShareTheLinkAsWell) {
  const network::CollectiveTime time = all_to_all_time(Protocol::kLowLatency, 72, 720'000_B, 24);
  EXPECT_EQ(time.transfer, from_seconds(710e3 / 50e9));
}

// Eight ranks, 3 doublings; 16,000 / 8 = 2,000 bytes each at 2 GB/s.
TEST(Protocol, SmallMessagesToAllGoThroughOneChannelEach) {
  const network::CollectiveTime time = all_to_all_time(Protocol::kLowLatency, 8, 16'000_B, 24);
  EXPECT_EQ(time.startup, 4_us + 3 * 1_us);
  EXPECT_EQ(time.transfer, 1_us);
}

// Two ranks: 1 MB to the other at 25 GB/s, 40 us, and the first slice of 10 channels, 0.8 us.
TEST(Protocol, LargeMessagesToAllShareTheLinks) {
  const network::CollectiveTime time = all_to_all_time(Protocol::kSimple, 2, 2'000'000_B, 10);
  EXPECT_EQ(time.startup, 12_us);
  EXPECT_EQ(time.transfer, 40_us + 800_ns);
}

// A chain of three GPUs up and down, 4 hops; each GPU passes 1 MB on twice, at 50 GB/s; 50 kB a
// channel begin with the largest first slice.
TEST(Protocol, TreesOfOneNodeAreChains) {
  const network::CollectiveTime time = tree_time(Protocol::kSimple, 3, 1'000'000_B, 10);
  EXPECT_EQ(time.startup, 10_us + 4 * 3_us);
  EXPECT_EQ(time.transfer, 40_us + 400_ns);
}

}  // namespace
}  // namespace septet::test
