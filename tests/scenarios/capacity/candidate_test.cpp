#include "scenarios/capacity/candidate.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace septet::capacity {
namespace {

TEST(Estimate, OfOneRunHasNoWidth) { EXPECT_EQ(estimate_of({5}).half_width, 0); }

TEST(Estimate, OfThreeRunsIsThatOfStudent) {
  const Estimate estimate = estimate_of({1, 2, 3});
  EXPECT_EQ(estimate.mean, 2);
  // The 97.5th percentile of t with two degrees of freedom is 4.303; standard deviation 1.
  EXPECT_NEAR(estimate.half_width, 4.3027 / std::sqrt(3), 1e-3);
}

}  // namespace
}  // namespace septet::capacity
