#include "models/workload/requests/length_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace septet::requests {
namespace {

std::vector<double> draws(const LengthDistribution& distribution, int count) {
  RandomStream stream({1, 2, 3});
  std::vector<double> out;
  for (int i = 0; i < count; ++i) {
    out.push_back(static_cast<double>(draw_length(distribution, stream)));
  }
  std::ranges::sort(out);
  return out;
}

TEST(LengthDistribution, FixedIsAlwaysTheSame) {
  const std::vector<double> all = draws({LengthKind::kFixed, 7}, 100);
  EXPECT_EQ(all.front(), 7);
  EXPECT_EQ(all.back(), 7);
}

TEST(LengthDistribution, UniformHasBothEnds) {
  const std::vector<double> all = draws({LengthKind::kUniform, 0, 3, 5}, 300);
  for (const double value : {3.0, 4.0, 5.0}) {
    // 100 expected, standard deviation sqrt(300 * 2/9) = 8.2.
    EXPECT_NEAR(static_cast<double>(std::ranges::count(all, value)), 100, 41);
  }
  EXPECT_EQ(all.front(), 3);
  EXPECT_EQ(all.back(), 5);
}

TEST(LengthDistribution, LognormalHasItsMedianAndSpread) {
  constexpr int kCount = 10'000;
  const std::vector<double> all = draws({LengthKind::kLognormal, 1000, 1, 1 << 20, 0.5}, kCount);
  // The rank of the median has a standard deviation of sqrt(n)/2: 0.5 % of n, 0.63 % of the value.
  EXPECT_NEAR(all[kCount / 2], 1000, 5 * 6.3);
  // One standard deviation above: the 84.13th percentile is 1000 exp(0.5).
  EXPECT_NEAR(all[8413], 1000 * std::exp(0.5), 80);
}

TEST(LengthDistribution, LognormalKeepsWithinItsEnds) {
  const std::vector<double> all = draws({LengthKind::kLognormal, 100, 50, 200, 2}, 1000);
  EXPECT_EQ(all.front(), 50);
  EXPECT_EQ(all.back(), 200);
}

}  // namespace
}  // namespace septet::requests
