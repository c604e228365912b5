#include "core/engine/row_pace.hpp"

#include <gtest/gtest.h>

namespace septet {
namespace {

constexpr Instant kStart = Instant(1'000);

Duration limit(const RowPace& pace) { return pace.latest_end(kStart) - kStart; }

TEST(RowPace, DoublesTheLengthOfWindowsThatBringFewRows) {
  RowPace pace;
  const Duration before = limit(pace);
  pace.learn(before, RowPace::kRowsPerWindow / 2 - 1);
  EXPECT_EQ(limit(pace), 2 * before);
}

TEST(RowPace, KeepsTheLengthWhereSomethingElseEndedTheWindow) {
  RowPace pace;
  const Duration before = limit(pace);
  pace.learn(before - Duration(1), 0);
  EXPECT_EQ(limit(pace), before);
}

TEST(RowPace, HalvesTheLengthOfAWindowThatBroughtTooManyRows) {
  RowPace pace;
  pace.learn(Duration(600), RowPace::kRowsPerWindow);
  EXPECT_EQ(limit(pace), limit(RowPace{}));
  pace.learn(Duration(600), RowPace::kRowsPerWindow + 1);
  EXPECT_EQ(limit(pace), Duration(300));
  pace.learn(Duration(1), RowPace::kRowsPerWindow + 1);
  EXPECT_EQ(limit(pace), Duration(1));  // a window holds one instant at least
}

TEST(RowPace, GrowsWithoutOverflow) {
  RowPace pace;
  for (int n = 0; n < 100; ++n) pace.learn(limit(pace), 0);
  EXPECT_GE(limit(pace), Duration::max() / 4);
}

}  // namespace
}  // namespace septet
