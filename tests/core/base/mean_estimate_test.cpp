#include "core/base/mean_estimate.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace septet {
namespace {

TEST(MeanEstimate, OfOneValueHasNoWidth) { EXPECT_EQ(mean_estimate({5}).half_width, 0); }

TEST(MeanEstimate, OfThreeValuesIsThatOfStudent) {
  const MeanEstimate estimate = mean_estimate({1, 2, 3});
  EXPECT_EQ(estimate.mean, 2);
  // The 97.5th percentile of t with two degrees of freedom is 4.303; standard deviation 1.
  EXPECT_NEAR(estimate.half_width, 4.3027 / std::sqrt(3), 1e-3);
}

}  // namespace
}  // namespace septet
