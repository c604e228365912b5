#include "core/base/statistics.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace septet {
namespace {

using Reals = std::vector<double>;

TEST(Percentile, InterpolatesBetweenTheNearestRanks) {
  const Reals values = {40, 10, 30, 20};
  EXPECT_EQ(percentile(values, 0), 10);
  EXPECT_EQ(percentile(values, 100), 40);
  EXPECT_EQ(percentile(values, 50), 25);           // rank 1.5, between 20 and 30
  EXPECT_DOUBLE_EQ(percentile(values, 90), 37);    // rank 2.7: 30 + 0.7 * 10
  EXPECT_DOUBLE_EQ(percentile(values, 25), 17.5);  // rank 0.75: 10 + 0.75 * 10
  EXPECT_EQ(percentile(Reals{5}, 99), 5);
}

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median(Reals{3, 1, 2}), 2);
  EXPECT_EQ(median(Reals{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(Reals{7, 7, 7, 1000}), 7);
}

TEST(PercentileDeathTest, RefusesWhatHasNoAnswer) {
  EXPECT_DEATH(percentile({}, 50), "empty");
  EXPECT_DEATH(percentile(Reals{1, std::nan("")}, 50), "isnan");
  EXPECT_DEATH(percentile(Reals{1}, 101), "percent <= 100");
}

}  // namespace
}  // namespace septet
