#include "core/engine/row_throttle.hpp"

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

constexpr Instant kStart = Instant(1'000);

Duration limit(const RowThrottle& throttle) { return throttle.latest_end(kStart) - kStart; }

TEST(RowThrottle, DoublesTheLengthOfWindowsThatBringFewRows) {
  RowThrottle throttle;
  const Duration before = limit(throttle);
  throttle.learn(before, RowThrottle::kRowsPerWindow / 2 - 1);
  EXPECT_EQ(limit(throttle), 2 * before);
}

TEST(RowThrottle, KeepsTheLengthWhereSomethingElseEndedTheWindow) {
  RowThrottle throttle;
  const Duration before = limit(throttle);
  throttle.learn(before - Duration(1), 0);
  EXPECT_EQ(limit(throttle), before);
}

TEST(RowThrottle, HalvesTheLengthOfAWindowThatBroughtTooManyRows) {
  RowThrottle throttle;
  throttle.learn(Duration(600), RowThrottle::kRowsPerWindow);
  EXPECT_EQ(limit(throttle), limit(RowThrottle{}));
  throttle.learn(Duration(600), RowThrottle::kRowsPerWindow + 1);
  EXPECT_EQ(limit(throttle), Duration(300));
  throttle.learn(Duration(1), RowThrottle::kRowsPerWindow + 1);
  EXPECT_EQ(limit(throttle), Duration(1));  // a window holds one instant at least
}

TEST(RowThrottle, GrowsWithoutOverflow) {
  RowThrottle throttle;
  for (int n = 0; n < 100; ++n) throttle.learn(limit(throttle), 0);
  EXPECT_GE(limit(throttle), Duration::max() / 4);
}

}  // namespace
}  // namespace septet::engine
