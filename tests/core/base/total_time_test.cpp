#include "core/base/total_time.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet {
namespace {

TEST(TotalTime, HoldsMoreThanTheLongestTime) {
  TotalTime sum;
  for (int i = 0; i < 200; ++i) sum += 50'000_s;
  EXPECT_EQ(to_us(sum), 1e13);  // 10^7 s; a Duration ends at 9.2 * 10^6
  EXPECT_EQ(sum / 200, 50'000_s);
  EXPECT_EQ(ratio(sum, TotalTime(50'000_s)), 200.0);
  EXPECT_GT(sum, TotalTime(Duration::max()));
}

TEST(TotalTime, OfFewTimesIsTheirSum) {
  const TotalTime sum = TotalTime(2_us) + 3_us;
  EXPECT_EQ(sum, 5_us);
  EXPECT_EQ(sum - 6_us, Duration(0) - 1_us);
  EXPECT_EQ(TotalTime(Duration(7)) / 2, Duration(3));
  EXPECT_EQ(to_us(sum), 5.0);
}

TEST(TotalTime, HasAMeanOnlyWhereADurationHoldsIt) {
  const TotalTime twice = TotalTime(Duration::max()) + Duration::max();
  EXPECT_EQ(twice / 2, Duration::max());
  EXPECT_THROW((twice + 2_ps) / 2, RangeError);
  EXPECT_THROW((TotalTime() - twice - 2_ps) / 2, RangeError);
}

}  // namespace
}  // namespace septet
