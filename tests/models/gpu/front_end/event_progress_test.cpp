#include "models/gpu/front_end/event_progress.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

TEST(EventProgress, AnEventNeverRecordedHoldsNobodyUp) {
  EXPECT_TRUE(gpu::EventProgress().done(0));
  EXPECT_FALSE(gpu::EventProgress().done(1));
}

TEST(EventProgress, RecordsInTheirOrderAreDoneUpToTheLast) {
  gpu::EventProgress event;
  event.record(1);
  event.record(2);
  EXPECT_TRUE(event.done(1));
  EXPECT_TRUE(event.done(2));
  EXPECT_FALSE(event.done(3));
}

TEST(EventProgress, ALaterRecordSaysNothingOfAnEarlierOne) {
  gpu::EventProgress event;
  event.record(3);
  EXPECT_TRUE(event.done(3));
  EXPECT_FALSE(event.done(1));
  EXPECT_FALSE(event.done(2));
  event.record(1);
  EXPECT_TRUE(event.done(1));
  EXPECT_FALSE(event.done(2));
  event.record(2);
  EXPECT_TRUE(event.done(2));
  EXPECT_TRUE(event.done(3));
  EXPECT_FALSE(event.done(4));
}

TEST(EventProgress, GenerationsWrapAround) {
  gpu::EventProgress event;
  for (std::uint32_t generation = 1; generation <= 65'537; ++generation) {
    EXPECT_FALSE(event.done(static_cast<std::uint16_t>(generation)));
    event.record(static_cast<std::uint16_t>(generation));
    EXPECT_TRUE(event.done(static_cast<std::uint16_t>(generation)));
  }
}

}  // namespace
}  // namespace septet::test
