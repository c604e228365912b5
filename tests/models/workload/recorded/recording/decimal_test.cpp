#include "models/workload/recorded/recording/decimal.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace septet::recorded {
namespace {

void expect_time(std::string_view text, std::int64_t microseconds, std::int32_t picoseconds) {
  const auto time = parse_microseconds(text);
  ASSERT_TRUE(time) << text;
  EXPECT_EQ(time->microseconds, microseconds) << text;
  EXPECT_EQ(time->picoseconds, picoseconds) << text;
}

TEST(Decimal, ReadsMicrosecondsExactly) {
  expect_time("0", 0, 0);
  expect_time("5106788221131.859", 5106788221131, 859'000);
  expect_time("9223372036854775806.999999", 9223372036854775806, 999'999);
  expect_time("0.000001", 0, 1);
  expect_time("-0.000001", -1, 999'999);
  expect_time("-3.25", -4, 750'000);
  expect_time("1.7e15", 1'700'000'000'000'000, 0);
  expect_time("12.5E-3", 0, 12'500);
  expect_time("1e-7", 0, 0);
}

TEST(Decimal, RoundsHalfAPicosecondAwayFromZero) {
  expect_time("0.0000005", 0, 1);
  expect_time("0.00000049", 0, 0);
  expect_time("0.9999995", 1, 0);
  expect_time("-0.0000005", -1, 999'999);
  EXPECT_TRUE(parse_microseconds("0.0000005")->rounded);
  EXPECT_FALSE(parse_microseconds("0.0000010000")->rounded);
}

TEST(Decimal, RefusesWhatIsNoNumberOrTooLarge) {
  for (const char* text : {"", "-", ".5", "1.2.3", "1e", "1e5000", "abc", "1 ", " 1", "0x10",
                           "9223372036854775807", "99999999999999999999", "1e19"}) {
    EXPECT_FALSE(parse_microseconds(text)) << text;
  }
}

TEST(Decimal, TellsDifferencesThatFit) {
  const RecordedTime early = *parse_microseconds("1682725898236567.123");
  const RecordedTime late = *parse_microseconds("1682725898236568.000001");
  EXPECT_EQ(difference(late, early, Duration::max()), Duration(877'001));
  EXPECT_EQ(difference(early, late, Duration(877'001)), Duration(-877'001));
  EXPECT_EQ(difference(early, late, Duration(877'000)), std::nullopt);
  EXPECT_EQ(difference(early, RecordedTime{}, Duration::max()), std::nullopt);
}

TEST(Decimal, ReadsIdsOfAnySpelling) {
  EXPECT_EQ(parse_integer("117")->magnitude, 117U);
  EXPECT_EQ(parse_integer("18446744073709551615")->magnitude, 18446744073709551615U);
  EXPECT_EQ(parse_integer("stream 7")->magnitude, 7U);
  EXPECT_EQ(parse_integer("0x1f")->magnitude, 31U);
  EXPECT_EQ(parse_integer("7.000")->magnitude, 7U);
  EXPECT_TRUE(parse_integer("-1")->negative);
  for (const char* text : {"", "-", "stream", "7.5", "7x", "18446744073709551616", "--1", "1e3"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(Decimal, KeepsIntegersWithinBounds) {
  EXPECT_EQ(parse_integer("-5")->within(-5, 5), -5);
  EXPECT_EQ(parse_integer("-6")->within(-5, 5), std::nullopt);
  EXPECT_EQ(
      parse_integer("18446744073709551615")->within(0, std::numeric_limits<std::int64_t>::max()),
      std::nullopt);
}

}  // namespace
}  // namespace septet::recorded
