#include "models/gpu/front_end/awaited_events.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using gpu::AwaitedEvents;
using Streams = std::vector<std::uint32_t>;

// Streams of the GPU wait for events 3 and 5, through four connections.
struct Awaited {
  Awaited() {
    spec.event_wait_latency = 10_us;
    spec.event_poll_interval = 2_us;
  }

  gpu::FrontEndSpec spec;
  const program::IndexSet ids{{3, 5}};
  gpu::AwaitedEvents events{spec, ids, 4};
};

TEST(AwaitedEvents, AnEventNeverRecordedHoldsNobodyUp) {
  EXPECT_TRUE(Awaited().events.passes(3, 0, 7));
}

TEST(AwaitedEvents, ARecordNamesTheStreamsThatWaitedInTheirOrder) {
  Awaited awaited;
  EXPECT_FALSE(awaited.events.passes(3, 1, 8));
  EXPECT_FALSE(awaited.events.passes(3, 1, 7));
  EXPECT_FALSE(awaited.events.passes(5, 1, 9));
  EXPECT_EQ(awaited.events.record(3, 1), (Streams{8, 7}));
  EXPECT_TRUE(awaited.events.passes(3, 1, 8));
  EXPECT_EQ(awaited.events.record(5, 1), Streams{9});
}

TEST(AwaitedEvents, AStreamThatAsksAgainKeepsItsTurn) {
  Awaited awaited;
  awaited.events.passes(3, 1, 8);
  awaited.events.passes(3, 1, 7);
  awaited.events.passes(3, 1, 8);
  EXPECT_EQ(awaited.events.record(3, 1), (Streams{8, 7}));
}

TEST(AwaitedEvents, EachRecordIsWaitedForByItself) {
  Awaited awaited;
  EXPECT_FALSE(awaited.events.passes(3, 2, 7));
  EXPECT_EQ(awaited.events.record(3, 1), Streams{7}) << "it asks again";
  EXPECT_FALSE(awaited.events.passes(3, 2, 7));
  EXPECT_EQ(awaited.events.record(3, 2), Streams{7});
  EXPECT_TRUE(awaited.events.passes(3, 2, 7));
}

TEST(AwaitedEvents, RecordsOfEventsThatNobodyWaitsForAreDropped) {
  EXPECT_EQ(Awaited().events.record(4, 1), Streams{});
}

TEST(AwaitedEvents, LaterTurnsSeeARecordLaterUpToTheNumberOfConnections) {
  const Awaited awaited;
  EXPECT_EQ(awaited.events.latency(0), 11_us);  // 10 + 2 (0 + 1/2)
  EXPECT_EQ(awaited.events.latency(1), 13_us);
  EXPECT_EQ(awaited.events.latency(3), 17_us);
  EXPECT_EQ(awaited.events.latency(4), 17_us) << "connection 3 is the last";
}

}  // namespace
}  // namespace septet::test
