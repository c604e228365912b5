#include "models/workload/training/goodput.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::test {
namespace {

constexpr std::int64_t kMinute = 60;

Duration minutes(double count) { return from_seconds(count * kMinute); }

training::GoodputSpec spec() {
  training::GoodputSpec out;
  out.days = 20;
  out.checkpoint = minutes(1);
  out.detection = minutes(5);
  out.restart = minutes(10);
  return out;
}

// Next to no failures: a minute of 61 for checkpoints.
TEST(Goodput, WithoutFailuresLosesTheCheckpoints) {
  training::GoodputSpec rare = spec();
  rare.gpu_hours_between_failures = 1e15;
  rare.interval = minutes(60);
  const training::Goodput got = training::goodput(rare, 1000, 1);
  EXPECT_EQ(got.failures, 0);
  EXPECT_NEAR(got.useful, 60.0 / 61, 1e-4);
  EXPECT_NEAR(got.checkpoints, 1.0 / 61, 1e-4);
  EXPECT_NEAR(got.least, got.useful, 1e-12);
}

// A failure every hour on average; each costs a quarter of an hour, and half an interval of 10
// minutes more or less. To first order a share of 1 / (1 + 1/4 + ...) of an hour is left.
TEST(Goodput, LosesWhatFailuresCost) {
  training::GoodputSpec often = spec();
  often.gpu_hours_between_failures = 1000;
  often.checkpoint = Duration(0);
  often.interval = minutes(10);
  often.seeds = 50;
  const training::Goodput got = training::goodput(often, 1000, 1);
  EXPECT_NEAR(got.failures, 20 * 24 / 1.25, 10);  // none while it restarts
  EXPECT_NEAR(got.waiting, 0.25 / 1.25, 0.005);
  // Work lost with a failure: of an interval of L with failures M apart, M - L / (e^(L/M) - 1).
  const double lost = 60 - 10 / std::expm1(10.0 / 60);
  EXPECT_NEAR(got.repeated, lost / 75, 0.005);
  EXPECT_NEAR(got.useful + got.repeated + got.waiting + got.checkpoints, 1, 1e-9);
}

// sqrt(2 * 1 min * 120 min) with failures every two hours.
TEST(Goodput, TakesTheIntervalThatLosesLeast) {
  training::GoodputSpec best = spec();
  best.gpu_hours_between_failures = 2000;
  const training::Goodput got = training::goodput(best, 1000, 1);
  EXPECT_NEAR(to_seconds(got.interval), std::sqrt(2.0 * 60 * 7200), 1e-6);
  for (const double other : {0.4, 2.5}) {
    training::GoodputSpec changed = best;
    changed.interval = scale(got.interval, other);
    EXPECT_GT(got.useful, training::goodput(changed, 1000, 1).useful) << other;
  }
}

// Without spares every failure waits for a repair.
TEST(Goodput, WaitsForARepairWithoutSpares) {
  training::GoodputSpec none = spec();
  none.gpu_hours_between_failures = 10000;
  none.repair = minutes(240);
  const double waits = training::goodput(none, 1000, 1).waiting;
  none.spares = 100;
  EXPECT_GT(waits, 5 * training::goodput(none, 1000, 1).waiting);
}

TEST(Goodput, ItsDaysAreTheWhole) {
  const training::Goodput got = training::goodput(spec(), 16384, 7);
  const double sum = std::accumulate(got.by_day.begin(), got.by_day.end(), 0.0);
  EXPECT_NEAR(sum / 20, got.useful, 1e-6);
  EXPECT_EQ(got.by_day.size(), 20U);
}

TEST(Goodput, IsTheSameForTheSameSeed) {
  EXPECT_EQ(training::goodput(spec(), 16384, 7).useful, training::goodput(spec(), 16384, 7).useful);
  EXPECT_NE(training::goodput(spec(), 16384, 7).useful, training::goodput(spec(), 16384, 8).useful);
}

// 54 days on 16,384 GPUs: 54 * 24 * 16,384 / 50,700 = 419 interruptions, and over 90 % useful time,
// as it takes checkpoints that stop steps for seconds and restarts within minutes.
TEST(Goodput, AgreesWithThePublishedRunOfLlama3) {
  training::GoodputSpec llama = spec();
  llama.days = 54;
  llama.spares = 1000;
  llama.checkpoint = from_seconds(10);
  llama.detection = minutes(2);
  llama.restart = minutes(5);
  const training::Goodput got = training::goodput(llama, 16384, 1);
  EXPECT_NEAR(got.failures, 419, 40);
  EXPECT_GT(got.useful, 0.9);
}

TEST(Goodput, RefusesNoDays) {
  training::GoodputSpec none = spec();
  none.days = 0;
  EXPECT_THROW(training::goodput(none, 8, 1), ConfigError);
}

}  // namespace
}  // namespace septet::test
