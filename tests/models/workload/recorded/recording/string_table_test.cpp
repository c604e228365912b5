#include "models/workload/recorded/recording/string_table.hpp"

#include <gtest/gtest.h>

#include "models/workload/recorded/recording/thread_table.hpp"
#include "models/workload/recorded/recording/time_line.hpp"

namespace septet::recorded {
namespace {

TEST(StringTable, GivesEachTextOneIndexInTheOrderOfArrival) {
  StringTable table;
  EXPECT_EQ(table.index("b"), 0U);
  EXPECT_EQ(table.index("a"), 1U);
  EXPECT_EQ(table.index("b"), 0U);
  EXPECT_EQ(table.take(), (std::vector<std::string>{"b", "a"}));
}

TEST(ThreadTable, KeepsIdsThatAreTextApart) {
  ThreadTable table;
  EXPECT_EQ(table.number_of("x"), table.number_of("x"));
  EXPECT_NE(table.number_of("x"), table.number_of("y"));
  EXPECT_EQ(table.index(1, 2), 0U);
  EXPECT_EQ(table.index(2, 1), 1U);
  EXPECT_EQ(table.index(1, 2), 0U);
}

// The reach is 2^61 ps = 2,305,843,009,213.693952 us.
TEST(TimeLine, JoinsStampsWithinItsReachAndNotBeyond) {
  TimeLine line;
  const RecordedTime first{.microseconds = 1'000'000'000'000'000};
  const RecordedTime last{.microseconds = 1'002'305'843'009'213, .picoseconds = 693'952};
  const RecordedTime beyond{.microseconds = 1'002'305'843'009'213, .picoseconds = 693'953};
  EXPECT_EQ(line.mark(first)->group, TimeLine::kFirst);
  EXPECT_EQ(line.mark(last)->group, TimeLine::kFirst);
  const auto stray = line.mark(beyond);
  EXPECT_EQ(stray->group, TimeLine::kFirst + 1);
  line.settle();
  EXPECT_EQ(line.start_of({TimeLine::kFirst, TimeLine::kReach}), Instant(std::int64_t{1} << 61));
  EXPECT_EQ(line.start_of(*stray), std::nullopt);
}

// One hour is 3,600,000,000 us.
TEST(TimeLine, TakesZeroAtItsWordUpToAnHourBeforeTheRest) {
  for (const auto& [start, counts] : {std::pair{3'600'000'000, true}, {3'600'000'001, false}}) {
    TimeLine line;
    const auto zero = line.mark({});
    const auto rest = line.mark({.microseconds = start});
    line.settle();
    EXPECT_EQ(line.start_of(*zero).has_value(), counts);
    EXPECT_EQ(line.start_of(*rest)->count(), counts ? start * kPicosecondsPerMicrosecond : 0);
  }
}

}  // namespace
}  // namespace septet::recorded
