#include "scenarios/capacity/sensitivity.hpp"

#include <gtest/gtest.h>

namespace septet::capacity {
namespace {

Candidate reaching(double latency, double tokens) {
  Candidate out;
  out.objectives = {{{"ttft_p99", 0.2, latency, true, latency <= 0.2}, {}},
                    {{"output_tokens_per_s", 1000, tokens, false, tokens >= 1000}, {}}};
  return out;
}

TEST(WorstShare, IsThatOfTheObjectiveNearestToItsLimit) {
  EXPECT_DOUBLE_EQ(worst_share(reaching(0.15, 4000)), 0.75);  // 0.15 of 0.2; 1000 of 4000
  EXPECT_DOUBLE_EQ(worst_share(reaching(0.05, 1250)), 0.8);   // 0.05 of 0.2; 1000 of 1250
  EXPECT_DOUBLE_EQ(worst_share(reaching(0.3, 500)), 2);       // both are missed
}

TEST(WorstShare, LeavesOutWhatNothingReached) {
  EXPECT_DOUBLE_EQ(worst_share(reaching(0, 2000)), 0.5);
}

}  // namespace
}  // namespace septet::capacity
