#include "core/base/random.hpp"

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace septet {
namespace {

std::vector<std::uint64_t> draws(RandomKey key, std::size_t count, std::uint64_t from = 0) {
  RandomStream stream(key, from);
  std::vector<std::uint64_t> out(count);
  for (std::uint64_t& value : out) value = stream.next();
  return out;
}

// Philox-2x64-10 written anew from the paper's description, with the 128-bit product by schoolbook
// multiplication of 32-bit halves rather than by a compiler's wide type.
struct Halves {
  std::uint64_t high;
  std::uint64_t low;
};

Halves product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t mask = 0xFFFFFFFFULL;
  const std::uint64_t low = (a & mask) * (b & mask);
  const std::uint64_t middle = (a >> 32) * (b & mask) + (low >> 32);
  const std::uint64_t other = (a & mask) * (b >> 32) + (middle & mask);
  return {(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), a * b};
}

std::uint64_t philox_by_the_paper(std::uint64_t counter0, std::uint64_t counter1,
                                  std::uint64_t key) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) key += 0x9E3779B97F4A7C15ULL;
    const Halves wide = product(0xD2B74407B1CE6E93ULL, counter0);
    counter0 = wide.high ^ key ^ counter1;
    counter1 = wide.low;
  }
  return counter0;
}

TEST(RandomStream, IsPhiloxOfDrawOwnerPurposeAndSeed) {
  for (const RandomKey key :
       {RandomKey{0, 0, 0}, RandomKey{~0ULL, ~0U, ~0U}, RandomKey{42, 7, 3}}) {
    const std::uint64_t high = (std::uint64_t{key.owner} << 32) | key.purpose;
    for (std::uint64_t draw : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40}) {
      EXPECT_EQ(draws(key, 1, draw)[0], philox_by_the_paper(draw, high, key.seed));
    }
  }
}

TEST(RandomStream, ResumesAtAnyDraw) {
  const std::vector<std::uint64_t> all = draws({1, 2, 3}, 100);
  const std::vector<std::uint64_t> rest = draws({1, 2, 3}, 60, 40);
  EXPECT_TRUE(std::equal(rest.begin(), rest.end(), all.begin() + 40));
}

TEST(RandomStream, StreamsOfOtherSeedsOwnersAndPurposesShareNoDraw) {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (std::uint64_t seed : {1, 2}) {
    for (std::uint32_t owner : {0U, 1U, 2U}) {
      for (std::uint32_t purpose : {0U, 1U}) {
        for (const std::uint64_t value : draws({seed, owner, purpose}, 1000)) seen.insert(value);
        drawn += 1000;
      }
    }
  }
  EXPECT_EQ(seen.size(), drawn);  // a chance repetition has a probability of 4e-12
}

TEST(RandomStream, DrawsOfNeighbouringOwnersAreUncorrelated) {
  constexpr int kDraws = 100'000;
  RandomStream a({5, 10, 0});
  RandomStream b({5, 11, 0});
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  // Each product has mean 0 and deviation 1/12; five deviations of the mean of n.
  EXPECT_LT(std::abs(sum / kDraws), 5.0 / 12 / std::sqrt(kDraws));
}

TEST(RandomStream, UniformFillsTheUnitIntervalEvenly) {
  constexpr int kBins = 64;
  constexpr int kDraws = 640'000;
  std::array<double, kBins> counts{};
  RandomStream stream({7, 0, 0});
  for (int i = 0; i < kDraws; ++i) {
    const double value = stream.uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    ++counts[static_cast<std::size_t>(value * kBins)];
  }
  double chi_square = 0;
  const double expected = static_cast<double>(kDraws) / kBins;
  for (const double count : counts)
    chi_square += (count - expected) * (count - expected) / expected;
  // Chi-square with 63 degrees of freedom: mean 63, deviation sqrt(126) = 11.2; 4 deviations.
  EXPECT_LT(chi_square, 63 + 4 * 11.2);
  EXPECT_GT(chi_square, 63 - 4 * 11.2);
}

TEST(RandomStream, ExponentialHasItsMeanAndItsTail) {
  constexpr int kDraws = 200'000;
  RandomStream stream({9, 0, 0});
  double sum = 0;
  int beyond = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = stream.exponential(3.0);
    sum += value;
    if (value > 6.0) ++beyond;
  }
  // The deviation of the mean is 3 / sqrt(n); P(X > 2 mean) = e^-2 = 0.1353, deviation sqrt(p q/n).
  EXPECT_NEAR(sum / kDraws, 3.0, 4 * 3.0 / std::sqrt(kDraws));
  EXPECT_NEAR(static_cast<double>(beyond) / kDraws, 0.1353, 4 * 0.342 / std::sqrt(kDraws));
}

TEST(RandomStream, BelowIsUnbiasedAndStaysBelow) {
  constexpr int kDraws = 300'000;
  RandomStream stream({11, 0, 0});
  // A bound of 3 * 2^62 refuses a quarter of all draws; a plain modulus would favour the first
  // third (1/2 instead of 1/3).
  const std::uint64_t third = std::uint64_t{1} << 62;
  std::array<int, 3> counts{};
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t value = stream.below(3 * third);
    ASSERT_LT(value, 3 * third);
    ++counts[value / third];
  }
  for (const int count : counts) {
    EXPECT_NEAR(static_cast<double>(count) / kDraws, 1.0 / 3, 4 * 0.471 / std::sqrt(kDraws));
  }
  EXPECT_EQ(stream.below(1), 0U);
}

}  // namespace
}  // namespace septet
