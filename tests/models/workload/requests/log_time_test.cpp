#include "models/workload/requests/log_time.hpp"

#include <gtest/gtest.h>

namespace septet::requests {
namespace {

TEST(LogTime, ReadsSecondsToThePicosecond) {
  EXPECT_EQ(parse_seconds("12"), (LogTime{12, 0}));
  EXPECT_EQ(parse_seconds("12.25"), (LogTime{12, 250'000'000'000}));
  EXPECT_EQ(parse_seconds("0.000000000001"), (LogTime{0, 1}));
}

TEST(LogTime, RefusesWhatIsNoTime) {
  for (const char* text : {"", "-1", "1.", ".5", "1,5", "1e3", " 1", "0.0000000000001", "nan"}) {
    EXPECT_EQ(parse_seconds(text), std::nullopt) << text;
  }
}

TEST(LogTime, ReadsDatesWithSevenDigitFractions) {
  constexpr std::int64_t kDay = 86'400;
  EXPECT_EQ(parse_date_time("1970-01-02 00:00:01"), (LogTime{kDay + 1, 0}));
  EXPECT_EQ(parse_date_time("1970-01-01 00:01:00.9799600"), (LogTime{60, 979'960'000'000}));
  EXPECT_EQ(parse_date_time("1972-03-01T00:00:00Z"), (LogTime{(2 * 365 + 31 + 29) * kDay, 0}));
  EXPECT_EQ(parse_date_time("1970-01-01 00:00:00.009930+00:00"), (LogTime{0, 9'930'000'000}));
}

TEST(LogTime, RefusesDatesThatDoNotExist) {
  for (const char* text :
       {"2023-02-29 00:00:00", "2023-13-01 00:00:00", "2023-01-01 24:00:00", "2023-01-01 00:60:00",
        "2023-01-01", "2023-01-01 00:00:00.", "2023-01-01 00:00:00+01:00", "2023-1-1 00:00:00"}) {
    EXPECT_EQ(parse_date_time(text), std::nullopt) << text;
  }
}

TEST(LogTime, ElapsedTimeIsExact) {
  EXPECT_EQ(elapsed({1, 900'000'000'000}, {2, 100'000'000'000}), from_seconds(0.2));
  EXPECT_EQ(elapsed({2, 0}, {1, 0}), std::nullopt);
  EXPECT_EQ(elapsed({0, 0}, {INT64_C(9'000'000'000), 0}), std::nullopt);
}

}  // namespace
}  // namespace septet::requests
