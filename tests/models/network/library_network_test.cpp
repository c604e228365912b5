#include "models/network/uniform/library_network.hpp"

#include <gtest/gtest.h>

#include "models/network/collective/algorithms/chooser.hpp"
#include "tests/models/network/collective_spec.hpp"

namespace septet::test {
namespace {

network::NetworkSpec nodes_of_four() {
  network::NetworkSpec spec;
  spec.gpus_per_node = 4;
  return spec;
}

network::CollectiveRequest all_reduce(std::vector<std::uint32_t> gpus) {
  network::CollectiveRequest request;
  request.bytes = Bytes(10'000'000);
  request.gpus = std::move(gpus);
  return request;
}

TEST(LibraryNetwork, DoesInsideANodeWhatTheLibraryWould) {
  const network::LibraryNetwork network(nodes_of_four(), round_spec(), 8);
  const network::CollectiveRequest request = all_reduce({4, 5, 6, 7});
  const network::CollectivePlan plan = network.plan(request);
  const network::CollectivePlan wanted = plan_in_node(round_spec(), true, request);
  EXPECT_EQ(plan.alone(), wanted.alone());
  EXPECT_EQ(plan.algorithm, wanted.algorithm);
  EXPECT_EQ(plan.channels, wanted.channels);
  EXPECT_EQ(plan.timing_method, wanted.timing_method);
}

TEST(LibraryNetwork, LoadsTheLinksOfItsGpusWithNoMoreThanTheyCarry) {
  const network::LibraryNetwork network(nodes_of_four(), round_spec(), 8);
  const network::CollectivePlan plan = network.plan(all_reduce({4, 5, 6, 7}));
  ASSERT_EQ(plan.loads.size(), 4U * 2U);
  for (const network::LinkLoad& load : plan.loads) {
    EXPECT_GE(load.link, 4U * 4U);  // four links a GPU
    EXPECT_EQ(network.link_rate(load.link).count(), round_spec().link.count());
    EXPECT_LE(static_cast<double>(load.bytes.count()),
              to_seconds(plan.transfer) * round_spec().link.count());
  }
}

TEST(LibraryNetwork, TakesTheLibraryOfTheGpusOfEachNode) {
  network::CollectiveSpec slower = round_spec();
  slower.link = round_spec().link / 2;
  ByRange<network::CollectiveSpec> libraries(round_spec());
  libraries.set(4, 4, slower);
  const network::LibraryNetwork network(nodes_of_four(), libraries, 8);
  const network::CollectiveRequest first = all_reduce({0, 1, 2, 3});
  const network::CollectiveRequest second = all_reduce({4, 5, 6, 7});
  EXPECT_EQ(network.plan(first).alone(), plan_in_node(round_spec(), true, first).alone());
  EXPECT_EQ(network.plan(second).alone(), plan_in_node(slower, true, second).alone());
  EXPECT_GT(network.plan(second).alone(), network.plan(first).alone());
  // Four links a GPU, of which two go to the switch.
  EXPECT_EQ(network.link_rate(0).count(), round_spec().link.count());
  EXPECT_EQ(network.link_rate(4 * 4).count(), slower.link.count());
}

// Over two nodes of four, each GPU moves 2 * 7 / 8 of 10 MB over its links; a quarter of it takes
// less by NICs of 450 GB/s. The slower node's 50 GB/s count, whichever kind is the usual one.
TEST(LibraryNetwork, SeveralNodesGoAtThePaceOfTheSlowestLinks) {
  network::CollectiveSpec slower = round_spec();
  slower.link = round_spec().link / 2;
  network::NetworkSpec spec = nodes_of_four();
  spec.nic = 450_GBps;
  const network::CollectiveRequest both = all_reduce({0, 1, 2, 3, 4, 5, 6, 7});
  for (const bool usual_is_slower : {false, true}) {
    ByRange<network::CollectiveSpec> libraries(usual_is_slower ? slower : round_spec());
    libraries.set(4, 4, usual_is_slower ? round_spec() : slower);
    const network::LibraryNetwork network(spec, libraries, 8);
    EXPECT_EQ(network.plan(both).transfer, 350_us);  // 17.5 MB at 50 GB/s
  }
}

// Simple: the busiest link of a large all-gather of four carries 3 MB in 60 of 65.4 us at half its
// rate, as in Protocol.SimpleSends...; another such plan beside it takes half of that.
TEST(LibraryNetwork, SaysWhatAPlanHasOfALinkAlone) {
  const network::LibraryNetwork network(nodes_of_four(), round_spec(), 8);
  network::CollectiveRequest gather = all_reduce({0, 1, 2, 3});
  gather.op = program::CollectiveOp::kAllGather;
  gather.bytes = 4'000'000_B;
  gather.algorithm = program::CollectiveAlgorithm::kRing;
  gather.protocol = program::CollectiveProtocol::kSimple;
  gather.channels = 10;
  EXPECT_NEAR(network.link_share(network.plan(gather)), 3e6 / 65.4e-6 / 100e9, 1e-9);
  gather.protocol = program::CollectiveProtocol::kLowLatency128;
  EXPECT_EQ(network.link_share(network.plan(gather)), 120.0 / 128);
  gather.gpus = {0, 4};  // between nodes the NICs are the limit, and have nothing left
  gather.protocol = program::CollectiveProtocol::kSimple;
  EXPECT_NEAR(network.link_share(network.plan(gather)), 1, 1e-6);
}

TEST(LibraryNetwork, IsPlainBetweenNodesAndWithoutALibrary) {
  const network::LibraryNetwork network(nodes_of_four(), round_spec(), 8);
  EXPECT_EQ(network.plan(all_reduce({0, 4})).timing_method, "alpha-beta, nodes");
  const network::LibraryNetwork unknown(nodes_of_four(), network::CollectiveSpec{}, 8);
  EXPECT_EQ(unknown.plan(all_reduce({0, 1})).timing_method, "alpha-beta");
}

}  // namespace
}  // namespace septet::test
