#include "core/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/random.hpp"

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

TEST(WeightedMean, WeighsItsValues) {
  EXPECT_EQ(weighted_mean(Reals{1, 5}, Reals{3, 1}), 2);  // (3 + 5) / 4
  EXPECT_EQ(weighted_mean(Reals{1, 5}, Reals{0, 2}), 5);
  EXPECT_DEATH(weighted_mean(Reals{1}, Reals{0}), "total.sum");
  EXPECT_DEATH(weighted_mean(Reals{1, 2}, Reals{1}), "size");
}

TEST(RunningStatistics, KeepsSmallValuesBesideLargeOnes) {
  RunningStatistics statistics;
  for (const double value : {1.0, 1e100, 1.0, -1e100}) statistics.add(value);
  EXPECT_EQ(statistics.sum(), 2.0);  // a plain sum gives 0
  EXPECT_EQ(statistics.mean(), 0.5);
  EXPECT_EQ(statistics.min(), -1e100);
  EXPECT_EQ(statistics.max(), 1e100);
  EXPECT_EQ(statistics.count(), 4U);
}

TEST(Histogram, IsExactBelowItsPrecision) {
  Histogram histogram(4);
  for (std::int64_t value = 0; value < 16; ++value) histogram.add(value);
  // 16 values: the smallest v with at least half of all at or below it is 7 (8 values, 0 to 7).
  EXPECT_EQ(histogram.percentile(50), 7);
  EXPECT_EQ(histogram.percentile(0), 0);
  EXPECT_EQ(histogram.percentile(100), 15);
  EXPECT_EQ(histogram.mean(), 7.5);
}

TEST(Histogram, BucketsAreLogLinear) {
  Histogram histogram(4);
  // 16 to 31 have buckets of 2, 32 to 63 of 4; 63 and 64 lie in different octaves.
  for (const std::int64_t value : {16, 17, 18, 63, 64}) histogram.add(value);
  const auto buckets = histogram.buckets();
  ASSERT_EQ(buckets.size(), 4U);
  EXPECT_EQ(buckets[0].first, 16);
  EXPECT_EQ(buckets[0].last, 17);
  EXPECT_EQ(buckets[0].count, 2U);
  EXPECT_EQ(buckets[1].first, 18);
  EXPECT_EQ(buckets[2].first, 60);
  EXPECT_EQ(buckets[2].last, 63);
  EXPECT_EQ(buckets[3].first, 64);
  EXPECT_EQ(buckets[3].last, 71);
}

TEST(Histogram, BucketsCoverAllIntegersWithoutGapOrOverlap) {
  for (const unsigned bits : {1U, 3U, 8U, 16U}) {
    Histogram histogram(bits);
    for (int shift = 0; shift < 63; ++shift) {
      const std::int64_t power = std::int64_t{1} << shift;
      histogram.add(power);
      if (power > 1) histogram.add(power - 1);
    }
    histogram.add(std::numeric_limits<std::int64_t>::max());
    std::int64_t last = -1;
    for (const Histogram::Bucket& bucket : histogram.buckets()) {
      EXPECT_GT(bucket.first, last);
      EXPECT_GE(bucket.last, bucket.first);
      // At most one part in 2^(bits-1) wide, so the middle is within 2^-bits.
      EXPECT_LE(bucket.last - bucket.first, bucket.first >> (bits - 1));
      last = bucket.last;
    }
    EXPECT_EQ(last, std::numeric_limits<std::int64_t>::max());
  }
}

TEST(Histogram, PercentilesAreWithinTheStatedError) {
  RandomStream random({3, 0, 0});
  std::vector<std::int64_t> values;
  Histogram histogram(8);
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<std::int64_t>(random.exponential(5e9)));
    histogram.add(values.back());
  }
  std::ranges::sort(values);
  for (const double percent : {0.1, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9}) {
    const auto rank = static_cast<std::size_t>(std::ceil(percent / 100 * 20'000)) - 1;
    const auto exact = static_cast<double>(values[rank]);
    EXPECT_NEAR(static_cast<double>(histogram.percentile(percent)), exact, exact / 256 + 1);
  }
  EXPECT_EQ(histogram.min(), values.front());
  EXPECT_EQ(histogram.max(), values.back());
}

TEST(Histogram, MergesToTheSameInAnyOrder) {
  Histogram a;
  Histogram b;
  Histogram both;
  for (std::int64_t i = 1; i < 1000; ++i) {
    (i % 3 == 0 ? a : b).add(i * i * i, 2);
    both.add(i * i * i, 2);
  }
  Histogram ab = a;
  ab.merge(b);
  Histogram ba = b;
  ba.merge(a);
  for (const Histogram* merged : {&ab, &ba}) {
    EXPECT_EQ(merged->count(), both.count());
    EXPECT_EQ(merged->mean(), both.mean());
    EXPECT_EQ(merged->min(), 1);
    EXPECT_EQ(merged->percentile(37), both.percentile(37));
  }
}

TEST(HistogramDeathTest, RefusesNegativeValuesAndForeignPrecisions) {
  Histogram histogram(8);
  EXPECT_DEATH(histogram.add(-1), "value >= 0");
  EXPECT_DEATH(histogram.merge(Histogram(9)), "precision");
  EXPECT_DEATH(histogram.percentile(50), "count_ > 0");
}

}  // namespace
}  // namespace septet
