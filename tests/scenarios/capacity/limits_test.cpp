#include "scenarios/capacity/limits.hpp"

#include <gtest/gtest.h>

namespace septet::capacity {
namespace {

Candidate failing(std::uint32_t replicas, bool overloaded) {
  Candidate out;
  out.replicas = out.gpus = replicas;
  out.overloaded = overloaded;
  out.objectives.push_back({{"ttft_p99", 0.1, 0.3, true, false}, {0.3, 0}});
  out.objectives.push_back({{"tpot_p99", 0.1, 0.05, true, true}, {0.05, 0}});
  return out;
}

CapacityResult result_with(const std::vector<Candidate>& candidates) {
  CapacityResult out;
  out.options.emplace_back();
  out.candidates = candidates;
  return out;
}

TEST(Limits, AreWhatTheNextSmallerFleetMisses) {
  CapacityResult result = result_with({failing(1, true), failing(2, false), failing(4, false)});
  result.candidates[2].holds = true;
  result.best = result.candidates[2];
  const std::vector<Limit> limits = limits_of(result);
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_EQ(limits[0].objective, "ttft_p99");
  EXPECT_EQ(limits[0].kind, LimitKind::kSteps);
  EXPECT_EQ(limits[0].change, "4 GPUs");
}

TEST(Limits, OfAnOverloadedFleetAreItsQueue) {
  CapacityResult result = result_with({failing(2, true)});
  result.beyond = failing(5, false);
  const std::vector<Limit> limits = limits_of(result);
  EXPECT_EQ(limits.at(0).kind, LimitKind::kQueue);
  EXPECT_EQ(limits.at(0).change, "search.max_gpus = 5");
}

TEST(Limits, OfAFullCacheAreTheCache) {
  CapacityResult result = result_with({failing(2, true)});
  result.candidates[0].preemptions = 3;
  result.candidates[0].peak_cache_use = 1;
  EXPECT_EQ(limits_of(result).at(0).kind, LimitKind::kKvCache);
}

TEST(Limits, OfOptionsThatBoundsRuledOutAreTheBounds) {
  CapacityResult result = result_with({});
  result.options[0].removed_by = Bound::kMemory;
  result.options[0].reason = "too large";
  result.options[0].remedy = "two GPUs";
  const std::vector<Limit> limits = limits_of(result);
  EXPECT_EQ(limits.at(0).kind, LimitKind::kMemory);
  EXPECT_EQ(limits.at(0).reason, "too large");
  EXPECT_EQ(limits.at(0).change, "two GPUs");
}

}  // namespace
}  // namespace septet::capacity
