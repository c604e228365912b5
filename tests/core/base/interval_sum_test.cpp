#include "core/base/interval_sum.hpp"

#include <gtest/gtest.h>

namespace septet {
namespace {

ValuedInterval from_to(std::int64_t start, std::int64_t end, double value) {
  return {Instant(start), Instant(end), value};
}

std::vector<std::pair<std::int64_t, double>> steps(const std::vector<ValuedInterval>& intervals) {
  std::vector<std::pair<std::int64_t, double>> out;
  for (const ValueStep& step : interval_sum(intervals))
    out.emplace_back(step.at.count(), step.value);
  return out;
}

using Steps = std::vector<std::pair<std::int64_t, double>>;

TEST(IntervalSum, AddsUpWhereIntervalsOverlap) {
  EXPECT_EQ(steps({from_to(10, 30, 1), from_to(20, 40, 0.5)}),
            (Steps{{10, 1}, {20, 1.5}, {30, 0.5}, {40, 0}}));
}

TEST(IntervalSum, HasNoStepWhereOneIntervalFollowsAnotherOfItsValue) {
  EXPECT_EQ(steps({from_to(20, 30, 2), from_to(10, 20, 2)}), (Steps{{10, 2}, {30, 0}}));
}

TEST(IntervalSum, LeavesOutIntervalsOfNoTime) {
  EXPECT_EQ(steps({from_to(10, 10, 2)}), Steps{});
  EXPECT_EQ(steps({}), Steps{});
}

TEST(IntervalSum, EndsAtZeroWhateverIsRounded) {
  const Steps got = steps({from_to(0, 3, 0.1), from_to(1, 3, 0.2), from_to(2, 4, 0.3)});
  EXPECT_EQ(got.back(), (std::pair<std::int64_t, double>{4, 0}));
}

}  // namespace
}  // namespace septet
