#include "models/network/collective/algorithms/chooser.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "tests/models/network/collective_spec.hpp"

namespace septet::test {
namespace {

using Algorithm = program::CollectiveAlgorithm;
using Op = program::CollectiveOp;
using Protocol = program::CollectiveProtocol;

network::CollectiveRequest request(Op op, std::uint32_t ranks, std::int64_t bytes) {
  network::CollectiveRequest out;
  out.op = op;
  out.bytes = Bytes(bytes);
  out.gpus.resize(ranks);
  std::iota(out.gpus.begin(), out.gpus.end(), 0U);
  return out;
}

// Two ranks, steps 2: LL 6.6 + 2 x 0.6 us and 141 GB/s, Simple 8.4 + 2 x 3.4 us and 360 GB/s. They
// meet where 7.4 us = bytes (1 / 141 - 1 / 360 GB/s), at 1,715,178 bytes.
TEST(Tuner, ChangesFromLlToSimpleWhereItsEstimatesMeet) {
  const network::CollectiveSpec spec = round_spec();
  EXPECT_EQ(choose_in_node(spec, false, request(Op::kAllReduce, 2, 1'715'000)).protocol,
            Protocol::kLowLatency);
  EXPECT_EQ(choose_in_node(spec, false, request(Op::kAllReduce, 2, 1'715'300)).protocol,
            Protocol::kSimple);
}

// Eight ranks, 1 MiB: LL 15 + 1.049 MB / (141 x 8 / 14) = 28.0 us. In the switch: 25 us and 360 x
// 0.85 x 7/8 x 2 x 8/14 = 306 GB/s, 28.4 us. At 2 MiB 41.0 against 31.9 us.
TEST(Tuner, ReducesLargeBuffersInTheSwitch) {
  const network::CollectiveSpec spec = round_spec();
  const network::NodeCollective all_reduce{.ranks = 8, .bytes = Bytes(306'000'000)};
  EXPECT_NEAR(network::algorithm_of(Algorithm::kNvls).node.estimate_us(spec, all_reduce), 1025,
              1e-6);
  EXPECT_EQ(choose_in_node(spec, true, request(Op::kAllReduce, 8, 1 << 20)).algorithm,
            Algorithm::kRing);
  const network::CollectiveChoice large =
      choose_in_node(spec, true, request(Op::kAllReduce, 8, 2 << 20));
  EXPECT_EQ(large.algorithm, Algorithm::kNvls);
  EXPECT_EQ(large.channels, 16U);
}

TEST(Tuner, ReducesNothingInTheSwitchForTwoGpusOrWithoutOne) {
  network::CollectiveSpec spec = round_spec();
  EXPECT_EQ(choose_in_node(spec, true, request(Op::kAllReduce, 2, 1 << 28)).algorithm,
            Algorithm::kRing);
  EXPECT_EQ(choose_in_node(spec, false, request(Op::kAllReduce, 8, 1 << 28)).algorithm,
            Algorithm::kRing);
  spec.tuner.nvls_efficiency = 0;
  EXPECT_EQ(choose_in_node(spec, true, request(Op::kAllReduce, 8, 1 << 28)).algorithm,
            Algorithm::kRing);
}

// Eight ranks, 8 MiB: LL128 14 + 14 x 1.9 + 8.39 MB / (331.2 x 8 / 14) = 84.9 us, Simple 56 + 8.39
// MB / (360 x 8 / 14) = 96.8 us, LL 119 us.
TEST(Tuner, TakesLl128BetweenTheOtherTwo) {
  const network::CollectiveChoice choice =
      choose_in_node(round_spec(), false, request(Op::kAllReduce, 8, 8 << 20));
  EXPECT_EQ(choice.protocol, Protocol::kLowLatency128);
  EXPECT_EQ(choice.channels, 24U);  // 8 MiB / (640 x 8 bytes) would fill 1,638
}

// LL of two ranks: 512 threads of 16 bytes fill a channel.
TEST(Tuner, OpensChannelsAsBytesFillThem) {
  const auto channels = [](std::int64_t bytes) {
    return choose_in_node(round_spec(), false, request(Op::kAllReduce, 2, bytes)).channels;
  };
  EXPECT_EQ(channels(8), 1U);
  EXPECT_EQ(channels(16'383), 1U);
  EXPECT_EQ(channels(16'384), 2U);
  EXPECT_EQ(channels(1 << 20), 24U);
}

TEST(Tuner, KeepsWhatTheRequestFixes) {
  network::CollectiveRequest fixed = request(Op::kAllReduce, 8, 1 << 10);
  fixed.algorithm = Algorithm::kTree;
  fixed.protocol = Protocol::kSimple;
  fixed.channels = 3;
  const network::CollectiveChoice choice = choose_in_node(round_spec(), true, fixed);
  EXPECT_EQ(choice.algorithm, Algorithm::kTree);
  EXPECT_EQ(choice.protocol, Protocol::kSimple);
  EXPECT_EQ(choice.channels, 3U);
}

TEST(Tuner, RefusesWhatTheLibraryCannotDo) {
  network::CollectiveRequest tree = request(Op::kAllGather, 8, 1 << 10);
  tree.algorithm = Algorithm::kTree;
  EXPECT_THROW(choose_in_node(round_spec(), true, tree), ConfigError);
  network::CollectiveRequest flagged = request(Op::kAllReduce, 8, 1 << 10);
  flagged.algorithm = Algorithm::kNvls;
  flagged.protocol = Protocol::kLowLatency;
  EXPECT_THROW(choose_in_node(round_spec(), true, flagged), ConfigError);
}

TEST(Tuner, RefusesAlgorithmsThatMessagesToAllDoNotHave) {
  network::CollectiveRequest ringed = request(Op::kAllToAll, 2, 1 << 10);
  ringed.algorithm = Algorithm::kRing;
  EXPECT_THROW(choose_in_node(round_spec(), true, ringed), ConfigError);
  ringed.algorithm = Algorithm::kDirect;
  EXPECT_EQ(choose_in_node(round_spec(), true, ringed).algorithm, Algorithm::kDirect);
  ringed.protocol = Protocol::kLowLatency128;
  EXPECT_THROW(choose_in_node(round_spec(), true, ringed), ConfigError);
  network::CollectiveRequest shift = request(Op::kSendReceive, 4, 1 << 10);
  shift.algorithm = Algorithm::kRing;  // that is what it is
  EXPECT_NO_THROW(choose_in_node(round_spec(), true, shift));
}

// 16 KiB to each of eight.
TEST(Tuner, SendsSmallMessagesToAllByLl) {
  const network::CollectiveSpec spec = round_spec();
  EXPECT_EQ(choose_in_node(spec, false, request(Op::kAllToAll, 8, 128 << 10)).protocol,
            Protocol::kLowLatency);
  EXPECT_EQ(choose_in_node(spec, false, request(Op::kAllToAll, 8, (128 << 10) + 8)).protocol,
            Protocol::kSimple);
}

// As ChangesFromLlToSimple...: 2 steps of LL, 1,024 / 2 bytes are covered.
TEST(Plan, TakesTheTunersChoiceAndItsTime) {
  const network::CollectivePlan plan =
      plan_in_node(round_spec(), false, request(Op::kAllReduce, 2, 1024));
  EXPECT_EQ(plan.algorithm, Algorithm::kRing);
  EXPECT_EQ(plan.protocol, Protocol::kLowLatency);
  EXPECT_EQ(plan.channels, 1U);
  EXPECT_EQ(plan.alone(), 5_us);
  EXPECT_EQ(plan.timing_method, "ring in one node, closed form");
}

std::string complaint(const network::CollectiveRequest& wrong) {
  try {
    plan_in_node(round_spec(), false, wrong);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(Plan, NamesOperationAndRanksOfWrongGroups) {
  EXPECT_EQ(complaint(request(Op::kAllReduce, 1, 8)),
            "all_reduce over 1 ranks: got a group of 1, wanted at least 2 ranks");
  network::CollectiveRequest twice = request(Op::kAllGather, 3, 8);
  twice.gpus[2] = 1;
  EXPECT_EQ(complaint(twice),
            "all_gather over 3 ranks: got GPU 1 twice, at ranks 1 and 2, wanted each GPU once");
  network::CollectiveRequest rootless = request(Op::kBroadcast, 2, 8);
  rootless.peer = 2;
  EXPECT_EQ(complaint(rootless),
            "broadcast over 2 ranks: got rank 2 as the root, wanted one of the ranks 0 to 1");
  network::CollectiveRequest rooted = request(Op::kAllReduce, 2, 8);
  rooted.peer = 1;
  EXPECT_EQ(complaint(rooted), "all_reduce over 2 ranks: got rank 1 as peer, wanted none");
}

TEST(Plan, SaysWhatAGroupCouldDoInstead) {
  network::CollectiveRequest pair = request(Op::kAllReduce, 2, 8);
  pair.algorithm = Algorithm::kNvls;
  EXPECT_EQ(complaint(pair),
            "all_reduce over 2 ranks inside a node: got algorithm nvls with protocol auto, wanted "
            "ring, or tree, or nvls by simple, with more than two GPUs at a switch that reduces");
  network::CollectiveRequest tree = request(Op::kAllToAll, 3, 8);
  tree.algorithm = Algorithm::kTree;
  EXPECT_EQ(complaint(tree),
            "all_to_all over 3 ranks inside a node: got algorithm tree with protocol auto, wanted "
            "direct by ll or simple");
}

// NVLS by itself: 4 MB of four GPUs as in Protocol.SwitchesScatterSums...
TEST(Plan, GivesGathersInTheSwitchTheirOwnTime) {
  network::CollectiveRequest gather = request(Op::kAllGather, 4, 4'000'000);
  gather.algorithm = Algorithm::kNvls;
  EXPECT_EQ(plan_in_node(round_spec(), true, gather).transfer, 82_us);
  gather.op = Op::kAllReduce;
  EXPECT_EQ(plan_in_node(round_spec(), true, gather).transfer, 102_us);
}

}  // namespace
}  // namespace septet::test
