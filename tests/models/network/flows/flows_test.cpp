#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "models/network/flows/max_min.hpp"

namespace septet::network {
namespace {

constexpr double kNoCap = std::numeric_limits<double>::infinity();

struct Flow {
  std::vector<std::uint32_t> links;
  double cap = kNoCap;
  std::vector<double> weights = {};  // by link; empty: all 1

  double weight(std::size_t place) const { return weights.empty() ? 1 : weights[place]; }
};

std::vector<double> rates(const std::vector<Flow>& flows, std::vector<double> capacities) {
  SharingProblem problem{.flows = {}, .uses = {}, .capacities = std::move(capacities)};
  for (const Flow& flow : flows) {
    problem.flows.push_back({.first_use = static_cast<std::uint32_t>(problem.uses.size()),
                             .use_count = static_cast<std::uint32_t>(flow.links.size()),
                             .cap = flow.cap});
    for (std::size_t i = 0; i < flow.links.size(); ++i) {
      problem.uses.push_back({flow.links[i], flow.weight(i)});
    }
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

// Rates rise together to 10, where the first link is full of 3 * 10 + 70; the other flow of the
// second link then has what 4 * 10 leave.
TEST(MaxMin, AFlowTakesItsRateTimesItsWeightOfEachLink) {
  const std::vector<Flow> flows = {
      {{0, 1}, kNoCap, {3, 4}}, {{0}, kNoCap, {7}}, {{1}, kNoCap, {2}}};
  EXPECT_EQ(rates(flows, {100, 100}), Rates({10, 10, 30}));
  // Weights of another unit: the same fairness.
  EXPECT_EQ(rates({{{0}, kNoCap, {1e9}}, {{0}, kNoCap, {3e9}}}, {8e9}), Rates({2, 2}));
}

// Both links are full at a third, but for a rounding of 0.1 + 0.2.
TEST(MaxMin, LinksThatAreFullWithinABillionthAreFullAtOneLevel) {
  const std::vector<Flow> flows = {{{0}, kNoCap, {0.3}}, {{1}, kNoCap, {0.1 + 0.2}}};
  const Rates got = rates(flows, {0.1, 0.1});
  ASSERT_NE(0.1 / 0.3, 0.1 / (0.1 + 0.2));
  EXPECT_EQ(got[0], got[1]);
}

// A flow is max-min fair exactly if it has its cap, or a full link on which nobody is faster.
void expect_fair(const std::vector<Flow>& flows, const Rates& got, const Rates& capacities,
                 std::uint64_t seed) {
  constexpr double kSlack = 1e-9;
  Rates sum(capacities.size(), 0);
  Rates fastest(capacities.size(), 0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (std::size_t use = 0; use < flows[i].links.size(); ++use) {
      const std::uint32_t link = flows[i].links[use];
      sum[link] += got[i] * flows[i].weight(use);
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
      if (seed % 2 == 0) continue;
      for (std::size_t i = 0; i < flow.links.size(); ++i) {
        flow.weights.push_back(0.1 + random.uniform());
      }
    }
    expect_fair(flows, rates(flows, capacities), capacities, seed);
  }
}

}  // namespace
}  // namespace septet::network
