#include "models/network/uniform/uniform_network.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::test {
namespace {

// Nodes of four, 100 GB/s inside them and 10 GB/s from each GPU's NIC; 4 us to start.
network::NetworkSpec nodes_of_four() {
  network::NetworkSpec spec;
  spec.gpus_per_node = 4;
  spec.link = 100_GBps;
  spec.link_latency = 1_us;
  spec.nic = 10_GBps;
  spec.nic_latency = 5_us;
  spec.startup = 4_us;
  return spec;
}

network::CollectivePlan plan(program::CollectiveOp op, Bytes bytes,
                             std::vector<std::uint32_t> gpus) {
  const network::UniformNetwork network(nodes_of_four(), 16);
  network::CollectiveRequest request;
  request.op = op;
  request.bytes = bytes;
  request.gpus = std::move(gpus);
  return network.plan(request);
}

constexpr Bytes kMillion{1'000'000};

TEST(UniformNetwork, AllReduceInsideANodeIsARingOfTwiceNMinusOneSteps) {
  const network::CollectivePlan ring =
      plan(program::CollectiveOp::kAllReduce, kMillion, {0, 1, 2, 3});
  EXPECT_EQ(ring.algorithm, program::CollectiveAlgorithm::kRing);
  EXPECT_EQ(ring.startup, 4_us + 6 * 1_us);
  EXPECT_EQ(ring.transfer, 15_us);        // 2 * 3 / 4 of a million bytes at 100 GB/s
  EXPECT_EQ(ring.loads.size(), 4U * 2U);  // out of each GPU and into it
}

TEST(UniformNetwork, GatherAndScatterMoveHalfOfAnAllReduce) {
  for (const program::CollectiveOp op :
       {program::CollectiveOp::kAllGather, program::CollectiveOp::kReduceScatter}) {
    const network::CollectivePlan half = plan(op, kMillion, {0, 1, 2, 3});
    EXPECT_EQ(half.startup, 4_us + 3 * 1_us);
    EXPECT_EQ(half.transfer, 7500_ns);
  }
}

// Two nodes of four ranks: the rings leave a node through four NICs, each of which carries a
// quarter of 2 * 7 / 8 of the buffer at 10 GB/s: 43.75 us, more than 17.5 us over the links.
TEST(UniformNetwork, ARingOverNodesLeavesThroughAllNicsOfItsRanks) {
  std::vector<std::uint32_t> gpus(8);
  std::iota(gpus.begin(), gpus.end(), 0U);
  const network::CollectivePlan ring = plan(program::CollectiveOp::kAllReduce, kMillion, gpus);
  EXPECT_EQ(ring.transfer, 43'750_ns);
  // Of 14 steps around the ring 14 * 2 / 8 = 3 go from node to node.
  EXPECT_EQ(ring.startup, 4_us + 11 * 1_us + 3 * 5_us);
}

TEST(UniformNetwork, OneRankANodeUsesNicsAlone) {
  const network::CollectivePlan ring =
      plan(program::CollectiveOp::kAllReduce, kMillion, {0, 4, 8, 12});
  EXPECT_EQ(ring.transfer, 150_us);
  for (const network::LinkLoad& load : ring.loads) EXPECT_GE(load.link % 4, 2U);
}

TEST(UniformNetwork, ASendLoadsTheWayOutOfOneAndIntoTheOther) {
  const network::CollectivePlan near = plan(program::CollectiveOp::kSend, kMillion, {0, 1});
  EXPECT_EQ(near.alone(), 4_us + 1_us + 10_us);
  ASSERT_EQ(near.loads.size(), 2U);
  const network::CollectivePlan far = plan(program::CollectiveOp::kSend, kMillion, {0, 4});
  EXPECT_EQ(far.alone(), 4_us + 5_us + 100_us);
}

// Each of eight ranks on two nodes sends a million bytes to the next one: those of ranks 3 and 7
// leave the node over one NIC each, at 10 GB/s, the others take links.
TEST(UniformNetwork, AShiftLeavesANodeOverOneNic) {
  const network::CollectivePlan shift =
      plan(program::CollectiveOp::kSendReceive, kMillion, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(shift.startup, 4_us + 5_us);
  EXPECT_EQ(shift.transfer, 100_us);
  ASSERT_EQ(shift.loads.size(), 8U * 2U);
  std::vector<std::uint32_t> on_nics;
  for (const network::LinkLoad& load : shift.loads) {
    EXPECT_EQ(load.bytes, kMillion);
    if (load.link % 4 >= 2) on_nics.push_back(load.link);  // four links a GPU, two of its NIC
  }
  // Out of 3 into 4, out of 7 into 0.
  EXPECT_EQ(on_nics, (std::vector<std::uint32_t>{4 * 3 + 2, 4 * 4 + 3, 4 * 7 + 2, 3}));
}

// Of three quarters of a million bytes that a rank sends, those to the other two nodes' ranks leave
// through its NIC: all 3 of 3 partners are on other nodes.
TEST(UniformNetwork, AllToAllSendsToEachPartnerItsShare) {
  const network::CollectivePlan apart =
      plan(program::CollectiveOp::kAllToAll, kMillion, {0, 4, 8, 12});
  EXPECT_EQ(apart.transfer, 75_us);
  const network::CollectivePlan inside =
      plan(program::CollectiveOp::kAllToAll, kMillion, {0, 1, 2, 3});
  EXPECT_EQ(inside.transfer, 7500_ns);
}

TEST(UniformNetwork, RefusesWhatItDoesNotKnow) {
  const network::UniformNetwork network(nodes_of_four(), 4);
  network::CollectiveRequest request;
  request.gpus = {0, 1};
  request.algorithm = program::CollectiveAlgorithm::kTree;
  EXPECT_THROW(network.plan(request), ConfigError);
  network::NetworkSpec broken = nodes_of_four();
  broken.link = ByteRate(0);
  EXPECT_THROW(network::UniformNetwork(broken, 4), ConfigError);
}

}  // namespace
}  // namespace septet::test
