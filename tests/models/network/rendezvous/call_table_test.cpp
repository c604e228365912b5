#include "models/network/rendezvous/call_table.hpp"

#include <gtest/gtest.h>

#include "models/network/uniform/uniform_network.hpp"
#include "models/program/builder.hpp"

namespace septet::test {
namespace {

// Four GPUs, two to a node; each has a process, a thread and a stream of its own.
struct FourGpus {
  program::ProgramBuilder builder;

  FourGpus() {
    for (std::uint32_t d = 0; d < 4; ++d) builder.stream(0, d, d);
  }
  std::uint32_t all_reduce(std::uint32_t communicator, Bytes bytes = 1_MiB) {
    program::Collective collective;
    collective.communicator = communicator;
    collective.bytes = bytes;
    return builder.collective(collective);
  }
  // Each of `devices` calls it.
  void call(std::uint32_t collective, const std::vector<std::uint32_t>& devices) {
    for (const std::uint32_t device : devices) {
      builder.thread(device);
      builder.join(collective, device);
    }
  }
};

network::NetworkSpec two_to_a_node() {
  network::NetworkSpec spec;
  spec.gpus_per_node = 2;
  spec.startup = 4_us;
  spec.link_latency = 1_us;
  spec.nic_latency = 10_us;
  return spec;
}

TEST(CollectiveCallTable, GroupsThatMeetOnNoLinkMeetOnTheirOwn) {
  FourGpus four;
  const auto left = four.builder.communicator({0, 1});
  const auto right = four.builder.communicator({2, 3});
  four.call(four.all_reduce(left), {0, 1});
  four.call(four.all_reduce(right), {2, 3});
  const program::Program program = four.builder.take();
  const network::UniformNetwork network(two_to_a_node(), 4);
  const network::CollectiveCallTable calls(program, network);
  EXPECT_EQ(calls.rendezvous_count(), 2U);
  EXPECT_NE(calls.rendezvous_of(left), calls.rendezvous_of(right));
  // Two steps of 1 us after 4 us; half of it.
  EXPECT_EQ(calls.lookahead(0), 3_us);
}

TEST(CollectiveCallTable, AGroupOverBothNodesUsesOtherLinksThanThoseInside) {
  FourGpus four;
  const auto inside = four.builder.communicator({0, 1});
  const auto between = four.builder.communicator({0, 2});
  const auto all = four.builder.communicator({0, 1, 2, 3});
  four.call(four.all_reduce(inside), {0, 1});
  four.call(four.all_reduce(between), {0, 2});
  {
    const program::Program program = four.builder.take();
    const network::UniformNetwork network(two_to_a_node(), 4);
    EXPECT_EQ(network::CollectiveCallTable(program, network).rendezvous_count(), 2U);
  }
  // The ring over all four uses the links inside the nodes and the NICs, and joins all.
  FourGpus again;
  again.builder.communicator({0, 1});
  again.builder.communicator({0, 2});
  again.builder.communicator({0, 1, 2, 3});
  again.call(again.all_reduce(inside), {0, 1});
  again.call(again.all_reduce(between), {0, 2});
  again.call(again.all_reduce(all), {0, 1, 2, 3});
  const program::Program program = again.builder.take();
  const network::UniformNetwork network(two_to_a_node(), 4);
  EXPECT_EQ(network::CollectiveCallTable(program, network).rendezvous_count(), 1U);
}

TEST(CollectiveCallTable, RecordedTimesStandForTheWholeCollective) {
  FourGpus four;
  const auto pair = four.builder.communicator({0, 1});
  const auto index = four.all_reduce(pair);
  four.call(index, {0, 1});
  program::Program program = four.builder.take();
  program.collectives[index].recorded = 50_us;
  const network::UniformNetwork network(two_to_a_node(), 4);
  const network::CollectiveCallTable calls(program, network);
  const network::CollectivePlan& plan = calls[calls.find(index, pair, 1)].plan;
  EXPECT_EQ(plan.alone(), 50_us);
  EXPECT_EQ(plan.timing_method, "recorded");
  EXPECT_EQ(calls.lookahead(0), 25_us);
}

TEST(CollectiveCallTable, KnowRanksByDevice) {
  FourGpus four;
  const auto group = four.builder.communicator({3, 1, 2});
  const program::Program program = four.builder.take();
  const network::UniformNetwork network(two_to_a_node(), 4);
  const network::CollectiveCallTable calls(program, network);
  EXPECT_EQ(calls.rank(group, 3), 0U);
  EXPECT_EQ(calls.rank(group, 1), 1U);
  EXPECT_EQ(calls.rank(group, 2), 2U);
  EXPECT_EQ(calls.rendezvous_of(group), kNone);  // nobody calls anything
}

}  // namespace
}  // namespace septet::test
