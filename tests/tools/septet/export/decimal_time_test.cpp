#include "tools/septet/export/decimal_time.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace septet::command {
namespace {

TEST(ExactMicroseconds, KeepsEveryDigitThatMatters) {
  EXPECT_EQ(exact_microseconds(0), "0.000");
  EXPECT_EQ(exact_microseconds(1'234'000), "1.234");
  EXPECT_EQ(exact_microseconds(1'234'567), "1.234567");
  EXPECT_EQ(exact_microseconds(1'234'560), "1.23456");
  EXPECT_EQ(exact_microseconds(1), "0.000001");
  EXPECT_EQ(exact_microseconds(1'000'000), "1.000");
}

TEST(ExactMicroseconds, IsExactBeyondWhatADoubleHolds) {
  // 2^63 - 1 and -2^63 picoseconds.
  EXPECT_EQ(exact_microseconds(std::numeric_limits<std::int64_t>::max()), "9223372036854.775807");
  EXPECT_EQ(exact_microseconds(std::numeric_limits<std::int64_t>::min()), "-9223372036854.775808");
  EXPECT_EQ(exact_microseconds(-1), "-0.000001");
}

}  // namespace
}  // namespace septet::command
