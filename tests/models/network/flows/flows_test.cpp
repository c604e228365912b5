#include <algorithm>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "models/network/flows/flow_network.hpp"
#include "models/network/topology/router.hpp"
#include "tests/models/network/topology/networks.hpp"

namespace septet {
namespace {

constexpr double kNoCap = std::numeric_limits<double>::infinity();

struct Flow {
  std::vector<std::uint32_t> links;
  double cap = kNoCap;
};

std::vector<double> rates(const std::vector<Flow>& flows, std::vector<double> capacities) {
  SharingProblem problem{.flows = {}, .links_of_flows = {}, .capacities = std::move(capacities)};
  for (const Flow& flow : flows) {
    problem.flows.push_back(
        {.first_link = static_cast<std::uint32_t>(problem.links_of_flows.size()),
         .link_count = static_cast<std::uint32_t>(flow.links.size()),
         .cap = flow.cap});
    for (const std::uint32_t link : flow.links) problem.links_of_flows.push_back(link);
  }
  return max_min_rates(problem);
}

using Rates = std::vector<double>;

TEST(MaxMin, FlowsOfOneLinkHaveEqualShares) {
  EXPECT_EQ(rates({{{0}}, {{0}}, {{0}}, {{0}}}, {100}), Rates({25, 25, 25, 25}));
}

// The long flow is held by the first link to 50; the second link's other flow gets what is left.
TEST(MaxMin, WhatALongFlowCannotUseGoesToTheOthers) {
  EXPECT_EQ(rates({{{0, 1}}, {{0}}, {{1}}}, {100, 400}), Rates({50, 50, 350}));
}

TEST(MaxMin, ACapLeavesTheRestToTheOthers) {
  EXPECT_EQ(rates({{{0}, 10}, {{0}}, {{0}, 80}}, {100}), Rates({10, 45, 45}));
  EXPECT_EQ(rates({{{0}, 10}, {{0}}, {{0}, 40}}, {100}), Rates({10, 50, 40}));
  EXPECT_EQ(rates({{{}, 7}}, {}), Rates({7}));
}

// A chain of n links, a flow over all and one over each: all have half.
TEST(MaxMin, AChainGivesHalfToEach) {
  std::vector<Flow> flows(1);
  for (std::uint32_t link = 0; link < 50; ++link) {
    flows[0].links.push_back(link);
    flows.push_back({{link}});
  }
  for (const double rate : rates(flows, std::vector<double>(50, 10))) EXPECT_EQ(rate, 5);
}

// A flow is max-min fair exactly if it has its cap, or a full link on which nobody is faster.
void expect_fair(const std::vector<Flow>& flows, const Rates& got, const Rates& capacities,
                 std::uint64_t seed) {
  constexpr double kSlack = 1e-9;
  Rates sum(capacities.size(), 0);
  Rates fastest(capacities.size(), 0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (const std::uint32_t link : flows[i].links) {
      sum[link] += got[i];
      fastest[link] = std::max(fastest[link], got[i]);
    }
  }
  for (std::size_t link = 0; link < capacities.size(); ++link) {
    EXPECT_LE(sum[link], capacities[link] * (1 + kSlack)) << "seed " << seed;
  }
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const bool held = std::ranges::any_of(flows[i].links, [&](std::uint32_t link) {
      return sum[link] >= capacities[link] * (1 - kSlack) && got[i] >= fastest[link] * (1 - kSlack);
    });
    EXPECT_TRUE(held || got[i] == flows[i].cap) << "seed " << seed << ", flow " << i;
  }
}

TEST(MaxMin, EveryFlowHasABottleneckAndNoLinkIsAboveItsRate) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream random({.seed = seed});
    Rates capacities;
    for (int i = 0; i < 20; ++i) capacities.push_back(1 + 99 * random.uniform());
    std::vector<Flow> flows(1 + random.below(60));
    for (Flow& flow : flows) {
      for (std::uint32_t link = 0; link < 20; ++link) {
        if (random.below(6) == 0) flow.links.push_back(link);
      }
      if (flow.links.empty() || random.below(4) == 0) flow.cap = 1 + 20 * random.uniform();
    }
    expect_fair(flows, rates(flows, capacities), capacities, seed);
  }
}

constexpr Instant at(Duration time) { return Instant{} + time; }

// 100 GB/s. Alone 1 us would move 100 kB; two share for 2 us until the short one's 100 kB are over,
// then the long one's other 100 kB take 1 us.
TEST(FlowNetwork, AFlowGoesFasterWhenItsNeighbourEnds) {
  FlowNetwork network(std::vector<ByteRate>{100_GBps});
  const std::vector<LinkId> route = {0};
  const FlowId longer = network.add({}, route, Bytes(200'000));
  const FlowId shorter = network.add({}, route, Bytes(100'000));
  EXPECT_EQ(network.rate(longer), 50_GBps);
  EXPECT_EQ(network.next_completion(), at(2_us));
  EXPECT_EQ(network.advance(at(2_us)), std::vector<FlowId>{shorter});
  EXPECT_EQ(network.rate(longer), 100_GBps);
  EXPECT_EQ(network.next_completion(), at(3_us));
  EXPECT_EQ(network.advance(at(5_us)), std::vector<FlowId>{longer});
  EXPECT_EQ(network.next_completion(), std::nullopt);
  EXPECT_EQ(network.total(0).bytes, Bytes(300'000));
  EXPECT_EQ(network.total(0).busy, 3_us);
}

TEST(FlowNetwork, CountsWhatIsUnderWayAndWhatWasCancelled) {
  FlowNetwork network(std::vector<ByteRate>{100_GBps, 10_GBps});
  const std::vector<LinkId> both = {0, 1};
  const FlowId flow = network.add(at(1_us), both, Bytes(1'000'000));
  EXPECT_TRUE(network.advance(at(3_us)).empty());
  EXPECT_EQ(network.total(0).bytes, Bytes(20'000));  // 10 GB/s for 2 us
  EXPECT_EQ(network.total(1).busy, 2_us);
  network.cancel(at(4_us), flow);
  EXPECT_EQ(network.total(0).bytes, Bytes(30'000));
  EXPECT_EQ(network.total(0).busy, 3_us);
  EXPECT_EQ(network.size(), 0U);
}

TEST(FlowNetwork, ALinkThatBecomesSlowerSlowsItsFlows) {
  FlowNetwork network(std::vector<ByteRate>{100_GBps});
  const std::vector<LinkId> route = {0};
  network.add({}, route, Bytes(200'000));
  network.set_capacity(at(1_us), 0, 10_GBps);
  EXPECT_EQ(network.next_completion(), at(11_us));  // 100 kB at 100 GB/s, 100 kB at 10 GB/s
}

TEST(FlowNetwork, CapsAndEmptyRoutesCount) {
  FlowNetwork network(std::vector<ByteRate>{100_GBps});
  const std::vector<LinkId> route = {0};
  const FlowId capped = network.add({}, route, Bytes(100'000), 20_GBps);
  const FlowId other = network.add({}, route, Bytes(100'000));
  EXPECT_EQ(network.rate(capped), 20_GBps);
  EXPECT_EQ(network.rate(other), 80_GBps);
  const FlowId local = network.add({}, {}, Bytes(100'000), 50_GBps);
  EXPECT_EQ(network.rate(local), 50_GBps);
  network.add({}, {}, Bytes(100'000));
  EXPECT_EQ(network.next_completion(), at(Duration{}));
}

// All to all over a switch: everybody has an equal share of the link up, which n - 1 flows use.
TEST(FlowNetwork, AllToAllOverASwitchUsesAllOfEveryLink) {
  const Topology topology = switch_of(16);
  Router router(topology);
  FlowNetwork network(topology);
  for (std::uint32_t from = 0; from < 16; ++from) {
    for (std::uint32_t to = 0; to < 16; ++to) {
      if (from != to) {
        const Route route = router.route(from, to);
        network.add({}, {route.data(), route.size()}, Bytes(1'000'000));
      }
    }
  }
  EXPECT_EQ(network.size(), 240U);
  const Instant end = *network.next_completion();
  // 15 MB at 50 GB/s.
  EXPECT_NEAR(to_us(end), 300, 1e-3);
  EXPECT_EQ(network.advance(end + 1_ns).size(), 240U);
  for (LinkId link = 0; link < topology.link_count(); ++link) {
    EXPECT_EQ(network.total(link).bytes, Bytes(15'000'000));
  }
}

// Random coming and going. Rates stay those of a fresh start, and no byte is lost.
TEST(FlowNetwork, StaysFairAndKeepsEveryByte) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomStream random({.seed = seed});
    Rates capacities;
    std::vector<ByteRate> links;
    for (int i = 0; i < 12; ++i) {
      capacities.push_back(1e9 * (1 + static_cast<double>(random.below(100))));
      links.emplace_back(capacities.back());
    }
    FlowNetwork network(links);
    std::map<FlowId, Flow> under_way;
    std::vector<std::int64_t> wanted(12, 0);
    Instant now{};
    for (int step = 0; step < 300; ++step) {
      if (random.below(2) == 0) {
        Flow flow;
        for (std::uint32_t link = 0; link < 12; ++link) {
          if (random.below(5) == 0) flow.links.push_back(link);
        }
        if (flow.links.empty()) continue;
        const auto bytes = static_cast<std::int64_t>(1 + random.below(1'000'000));
        for (const std::uint32_t link : flow.links) wanted[link] += bytes;
        under_way[network.add(now, flow.links, Bytes(bytes))] = flow;
      } else if (const auto next = network.next_completion()) {
        now = *next;
        for (const FlowId flow : network.advance(now)) under_way.erase(flow);
      }
      std::vector<Flow> flows;
      Rates got;
      for (const auto& [id, flow] : under_way) {
        flows.push_back(flow);
        got.push_back(network.rate(id).count());
      }
      expect_fair(flows, got, capacities, seed);
    }
    network.advance(now + 1_s);
    EXPECT_EQ(network.size(), 0U);
    for (LinkId link = 0; link < 12; ++link) {
      EXPECT_NEAR(static_cast<double>(network.total(link).bytes.count()),
                  static_cast<double>(wanted[link]), 1)
          << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace septet
