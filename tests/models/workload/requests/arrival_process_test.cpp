#include "models/workload/requests/arrival_process.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

namespace septet::requests {
namespace {

constexpr std::uint64_t kCount = 20'000;

std::vector<Instant> times_of(const ArrivalProcess& process, std::uint64_t count = kCount) {
  RandomStream stream({1, 0, 0});
  return arrival_times(process, count, stream);
}

// Mean and coefficient of variation of the gaps.
struct Gaps {
  double mean = 0;
  double variation = 0;
};

Gaps gaps_of(std::span<const Instant> times) {
  double sum = 0;
  double squares = 0;
  Instant before;
  for (const Instant time : times) {
    const double gap = to_seconds(time - before);
    sum += gap;
    squares += gap * gap;
    before = time;
  }
  const auto n = static_cast<double>(times.size());
  const double mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean) / mean};
}

TEST(ArrivalProcess, ConstantArrivalsAreEvenlySpaced) {
  ArrivalProcess process{ArrivalKind::kConstant, 4};
  EXPECT_EQ(times_of(process, 3), (std::vector{Instant(250'000'000'000), Instant(500'000'000'000),
                                               Instant(750'000'000'000)}));
}

TEST(ArrivalProcess, PoissonGapsVaryAsMuchAsTheirMean) {
  const Gaps gaps = gaps_of(times_of({ArrivalKind::kPoisson, 10}));
  EXPECT_NEAR(gaps.mean, 0.1, 5 * 0.1 / std::sqrt(kCount));
  EXPECT_NEAR(gaps.variation, 1, 0.05);
}

TEST(ArrivalProcess, GammaGapsHaveTheirCoefficientOfVariation) {
  for (const double shape : {0.25, 4.0}) {
    const Gaps gaps = gaps_of(times_of({ArrivalKind::kGamma, 10, shape}));
    const double variation = 1 / std::sqrt(shape);
    EXPECT_NEAR(gaps.mean, 0.1, 5 * 0.1 * variation / std::sqrt(kCount)) << shape;
    EXPECT_NEAR(gaps.variation, variation, 0.05 * variation) << shape;
  }
}

TEST(ArrivalProcess, BurstsHaveTheirOwnRate) {
  ArrivalProcess process{ArrivalKind::kBursts, 2};
  process.burst_rate = 20;
  process.burst_length = from_seconds(10);
  process.period = from_seconds(100);
  RandomStream stream({1, 0, 0});
  const auto times = arrival_times_before(process, Instant(from_seconds(1000).count()), stream);
  const auto inside = static_cast<double>(std::ranges::count_if(times, [](Instant time) {
    return time.count() % from_seconds(100).count() < from_seconds(10).count();
  }));
  // 100 s of bursts and 900 s between them; five standard deviations.
  EXPECT_NEAR(inside, 2000, 5 * std::sqrt(2000));
  EXPECT_NEAR(static_cast<double>(times.size()) - inside, 1800, 5 * std::sqrt(1800));
}

TEST(ArrivalProcess, ASineMovesArrivalsIntoItsFirstHalf) {
  ArrivalProcess process{ArrivalKind::kDiurnal, 10};
  process.amplitude = 0.5;
  process.period = from_seconds(1000);
  RandomStream stream({1, 0, 0});
  const auto times = arrival_times_before(process, Instant(from_seconds(1000).count()), stream);
  const auto half = static_cast<double>(std::ranges::count_if(
      times, [](Instant time) { return time < Instant(from_seconds(500).count()); }));
  // The sine's half holds 1/2 (1 + 0.5 * 2 / pi) of 10,000.
  EXPECT_NEAR(half, 5000 * (1 + 1 / 3.14159265), 5 * std::sqrt(6600));
  EXPECT_NEAR(static_cast<double>(times.size()), 10'000, 5 * std::sqrt(10'000));
}

TEST(ArrivalProcess, AllAtOnceIsTimeZero) {
  EXPECT_EQ(times_of({ArrivalKind::kAtOnce}, 2), (std::vector{Instant(), Instant()}));
}

}  // namespace
}  // namespace septet::requests
