#include "models/network/cluster/cluster_network.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/chooser.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/chunks/chunk_simulation.hpp"
#include "tests/models/network/collective_spec.hpp"
#include "tests/models/network/topology/networks.hpp"

namespace septet::network {
namespace {

using enum program::CollectiveOp;
using enum program::CollectiveAlgorithm;

// Two nodes of four GPUs: 400 GB/s inside, 50 GB/s out of each GPU's NIC.
FatTreeSpec two_nodes() { return small_fat_tree(4, 2, 2); }

ClusterNetwork cluster(const CollectiveSpec& library) {
  return {fat_tree(two_nodes()).build(), Routing::kRailAware, library};
}

CollectiveRequest request_of(program::CollectiveOp op, program::CollectiveAlgorithm algorithm,
                             Bytes bytes, std::uint32_t gpus = 8) {
  CollectiveRequest request{.op = op, .bytes = bytes, .gpus = {}, .algorithm = algorithm};
  request.gpus.resize(gpus);
  std::iota(request.gpus.begin(), request.gpus.end(), 0U);
  return request;
}

// A library that costs nothing, so that a plan is what the network alone takes.
CollectiveSpec free_library() {
  CollectiveSpec spec = test::round_spec();
  spec.simple.start = spec.simple.step = Duration(0);
  spec.simple.link_share = 1;
  return spec;
}

Duration chunk_by_chunk(const CollectiveRequest& request) {
  const Topology topology = fat_tree(two_nodes()).build();
  Router router(topology, Routing::kRailAware);
  const AlgorithmPlan plan = algorithm_plan(router, request);
  return simulate_chunks(router, plan).time;
}

TEST(ClusterNetwork, InsideANodeIsTheLibrarysOwnPlan) {
  const CollectiveRequest request = request_of(kAllReduce, kRing, 64_MiB, 4);
  const CollectivePlan plan = cluster(test::round_spec()).plan(request);
  EXPECT_EQ(plan.alone(), plan_in_node(test::round_spec(), false, request).alone());
  // Each of four GPUs sends 2 * 3 / 4 of the buffer to the switch, and the switch as much to it.
  ASSERT_EQ(plan.loads.size(), 8U);
  for (const LinkLoad& load : plan.loads) EXPECT_EQ(load.bytes, 96_MiB);
}

// A degraded link, or GPUs joined in another way, are not what the library was measured on: 2 * 3 /
// 4 of the buffer at 1 GB/s.
TEST(ClusterNetwork, ANodeWithoutSwitchesAtFullRateGoesByItsLinks) {
  const LinkSpec slow{.rate = 1_GBps, .latency = 1_us};
  const ClusterNetwork ring(
      plain({{.shape = PlainShape::kRing, .extent = 4, .link = slow}}).build(), Routing::kShortest,
      free_library());
  const CollectivePlan plan = ring.plan(request_of(kAllReduce, kRing, 1'000'000_B, 4));
  EXPECT_EQ(plan.transfer, 1500_us);
  EXPECT_EQ(plan.startup, 6 * 1_us);
}

// The rail's cables carry 50 GB/s: 20 us for a million bytes, twice that at a share of a half. The
// route: GPU, PCIe switch, NIC, leaf, NIC, PCIe switch, GPU; 2 * (200 + 200 + 600) ns.
TEST(ClusterNetwork, AMessageBetweenNodesTakesItsSlowestLink) {
  CollectiveRequest request{.op = kSend, .bytes = 1'000'000_B, .gpus = {1, 5}, .peer = 1};
  const CollectivePlan plan = cluster(test::round_spec()).plan(request);
  EXPECT_EQ(plan.transfer, 40_us);
  EXPECT_EQ(plan.startup, 10_us + 3_us + 2_us);
  EXPECT_EQ(plan.loads.size(), 6U);
}

// Rings whose steps are alike: the closed form is what the run message by message takes, but for
// the steps at the start in which a slow link has nothing to send yet.
TEST(ClusterNetwork, ARingBetweenNodesIsThatOfTheRunChunkByChunk) {
  for (const program::CollectiveOp op : {kAllReduce, kAllGather, kReduceScatter}) {
    const CollectiveRequest request = request_of(op, kRing, 64_MiB);
    const double simulated = ratio(chunk_by_chunk(request), 1_us);
    const double planned = ratio(cluster(free_library()).plan(request).alone(), 1_us);
    EXPECT_NEAR(planned / simulated, 1.0, 0.02);
  }
}

// Levels one after the other take at most the sum of both and at least the longer of them, which
// is what the plan says; with as much time inside as between nodes that is half of it.
TEST(ClusterNetwork, PipelinedLevelsTakeBetweenHalfAndAllOfTheRunChunkByChunk) {
  const CollectiveRequest request = request_of(kAllReduce, kHierarchical, 64_MiB);
  const Duration simulated = chunk_by_chunk(request);
  const Duration planned = cluster(free_library()).plan(request).alone();
  EXPECT_LE(planned, simulated);
  EXPECT_GE(planned * 2, simulated);
}

// Between two nodes of four, levels move 2 * 1 / 2 of a quarter over each NIC, a ring 2 * 7 / 8 of
// the whole over one: seven times as much.
TEST(ClusterNetwork, TheFastestAlgorithmIsTaken) {
  const ClusterNetwork network = cluster(free_library());
  const CollectivePlan best = network.plan(request_of(kAllReduce, kAuto, 64_MiB));
  EXPECT_EQ(best.algorithm, kHierarchical);
  const CollectivePlan ring = network.plan(request_of(kAllReduce, kRing, 64_MiB));
  EXPECT_NEAR(ratio(ring.transfer, best.transfer), 7.0, 0.01);
}

TEST(ClusterNetwork, GroupsThatCannotWorkAreRefused) {
  const ClusterNetwork network = cluster(test::round_spec());
  EXPECT_THROW(network.plan(request_of(kAllReduce, kAuto, 1_MiB, 1)), ConfigError);
  CollectiveRequest twice = request_of(kAllReduce, kAuto, 1_MiB, 3);
  twice.gpus[2] = 1;
  EXPECT_THROW(network.plan(twice), ConfigError);
}

template <class Error>
std::string refusal(const ClusterNetwork& network, const CollectiveRequest& request) {
  try {
    network.plan(request);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ClusterNetwork, RanksWithoutAPathAreNamed) {
  TopologyBuilder builder = plain(
      {{.shape = PlainShape::kSwitch, .extent = 4, .link = {.rate = 1_GBps, .latency = 1_us}}});
  builder.change({.from = "gpu2", .to = "switch0.0", .failed = true});
  const ClusterNetwork network(builder.build(), Routing::kShortest, test::round_spec());
  const std::string pathless =
      ": network: got no path from gpu1 to gpu2, wanted a path of links "
      "that have not failed";
  EXPECT_EQ(refusal<ConfigError>(network, request_of(kAllReduce, kAuto, 1_MiB, 4)),
            "all_reduce over 4 ranks, from rank 1 to rank 2" + pathless);
  CollectiveRequest pair{.op = kSend, .bytes = 1_MiB, .gpus = {1, 2}, .peer = 1};
  EXPECT_EQ(refusal<ConfigError>(network, pair),
            "send over 2 ranks, from rank 0 to rank 1" + pathless);
}

TEST(ClusterNetwork, ProtocolsThatAreNotModelledBetweenNodesAreRefused) {
  CollectiveRequest request = request_of(kAllReduce, kRing, 1_MiB);
  request.protocol = program::CollectiveProtocol::kLowLatency;
  EXPECT_EQ(refusal<ConfigError>(cluster(test::round_spec()), request),
            "all_reduce over 8 ranks: got protocol ll, wanted auto or simple: no other protocol is "
            "modelled between nodes, nor inside a node whose links are slower than the library's");
  request.protocol = program::CollectiveProtocol::kSimple;
  EXPECT_EQ(refusal<ConfigError>(cluster(test::round_spec()), request), "accepted");
}

// Between nodes the busiest link gives data half of its rate.
TEST(ClusterNetwork, SaysWhatAPlanHasOfALinkAlone) {
  const ClusterNetwork network = cluster(test::round_spec());
  EXPECT_NEAR(network.link_share(network.plan(request_of(kAllReduce, kRing, 64_MiB))), 0.5, 1e-6);
}

}  // namespace
}  // namespace septet::network
