#include "models/workload/serving/speculation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/workload/serving/scheduler.hpp"
#include "tests/models/workload/serving/testing.hpp"

namespace septet::serving {
namespace {

TEST(Speculation, SharesBecomeChancesGivenTheOnesBefore) {
  EXPECT_EQ(acceptance_by_shares(std::vector{0.8, 0.4, 0.0, 0.0}),
            (std::vector{0.8, 0.5, 0.0, 0.0}));
  EXPECT_THROW(acceptance_by_shares(std::vector{0.4, 0.5}), ModelError);
}

TEST(Speculation, AMeanLengthIsASumOfPowers) {
  // 1 + 1/2 + 1/4 + 1/8
  for (const double chance : acceptance_by_mean_length(1.875, 3)) EXPECT_NEAR(chance, 0.5, 1e-12);
  EXPECT_EQ(acceptance_by_mean_length(4, 3), std::vector(3, 1.0));
  EXPECT_THROW(acceptance_by_mean_length(4.1, 3), ModelError);
  EXPECT_THROW(acceptance_by_mean_length(0.9, 3), ModelError);
}

TEST(Speculation, AcceptsAsOftenAsItSays) {
  const std::vector<double> acceptance = acceptance_by_mean_length(1.875, 3);
  constexpr int kRounds = 20'000;
  double sum = 0;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    sum += 1 + accepted_tokens(acceptance, 1, 2, round);
  }
  // The length's variance is below 1.2; five standard errors.
  EXPECT_NEAR(sum / kRounds, 1.875, 5 * std::sqrt(1.2 / kRounds));
}

TEST(Speculation, VerifiesDraftsAndKeepsTheAcceptedOnes) {
  SchedulerSpec spec = small_spec();
  spec.speculation = {2, 2, {1, 0}};  // the first always, the second never
  Scheduler scheduler(spec);
  scheduler.add({0, 6, 6});
  // Two tokens a round; of the last round one is wanted.
  EXPECT_EQ(steps(scheduler, 4), (Lines{"0:0+6>1", "0:6+3>2", "0:8+3>2", "0:10+3>1"}));
}

TEST(Speculation, NeedsBlocksForWhatItMayReject) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 2;
  spec.speculation = {3, 3, {0, 0, 0}};
  Scheduler scheduler(spec);
  EXPECT_EQ(scheduler.add({0, 4, 2}), Entry::kQueued);  // 4 + 1 + 3 tokens
  EXPECT_EQ(scheduler.add({1, 4, 3}), Entry::kBeyondCache);
}

}  // namespace
}  // namespace septet::serving
