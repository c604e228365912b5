// Two connections a process; commands are taken 3 us apart, and a stream keeps its connection 5 us
// after its last launch has started.
#include "models/gpu/front_end/connections.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using gpu::Connections;

gpu::FrontEndSpec spec() {
  gpu::FrontEndSpec spec;
  spec.command_interval = 3_us;
  spec.connection_hold = 5_us;
  return spec;
}

Instant at(Duration time) { return Instant() + time; }

struct TwoConnections {
  void join(std::size_t stream, std::uint32_t command, Duration now = 0_us) {
    connections.join(holds[stream], 0, command, at(now));
  }
  std::uint32_t number(std::size_t stream) const { return connections.number(holds[stream]); }

  const gpu::FrontEndSpec front_end = spec();
  gpu::Connections connections{front_end, 2, 2};
  gpu::Connections::Hold holds[4];
};

TEST(GpuConnections, AStreamTakesOneInWhichNothingWaits) {
  TwoConnections two;
  two.join(0, 10);
  two.join(1, 11);
  EXPECT_EQ(two.number(0), 0U);
  EXPECT_EQ(two.number(1), 1U);
}

TEST(GpuConnections, OfThoseInWhichSomethingWaitsItTakesTheOneGivenOutLeastRecently) {
  TwoConnections two;
  for (std::uint32_t stream = 0; stream < 4; ++stream) two.join(stream, 10 + stream);
  EXPECT_EQ(two.number(2), 0U);
  EXPECT_EQ(two.number(3), 1U) << "connection 0 was given out again";
}

TEST(GpuConnections, OnlyTheirHeadsCanStart) {
  TwoConnections two;
  for (std::uint32_t stream = 0; stream < 3; ++stream) two.join(stream, 10 + stream);
  EXPECT_EQ(two.connections.head(two.holds[2]), 10U) << "behind that of stream 0";
  EXPECT_EQ(two.connections.leave(two.holds[0], at(0_us), at(0_us)), 12U);
  EXPECT_EQ(two.connections.head(two.holds[2]), 12U);
  EXPECT_EQ(two.connections.leave(two.holds[2], at(0_us), at(0_us)), kNone);
}

TEST(GpuConnections, TakeACommandAnInterval) {
  TwoConnections two;
  two.join(0, 10);
  two.join(0, 11);
  two.connections.leave(two.holds[0], at(10_us), at(10_us));
  EXPECT_EQ(two.connections.free_at(two.holds[0]), at(13_us));
  two.connections.leave(two.holds[0], at(13_us), at(11_us));
  EXPECT_EQ(two.connections.free_at(two.holds[0]), at(16_us)) << "an interval behind the first";
}

TEST(GpuConnections, AStreamKeepsItsOwnUntilItsLastLaunchHasStartedAndTheHoldIsOver) {
  TwoConnections two;
  two.join(0, 10);                                          // connection 0
  two.connections.leave(two.holds[0], at(2_us), at(0_us));  // kept until 7
  two.join(0, 11, 7_us);
  EXPECT_EQ(two.number(0), 0U);
  two.connections.leave(two.holds[0], at(8_us), at(7_us));  // kept until 13
  two.join(0, 12, 13_us + 1_ps);
  EXPECT_EQ(two.number(0), 1U) << "which was never given out";
}

TEST(GpuConnections, AStreamKeepsItsOwnWhileACommandOfItWaits) {
  TwoConnections two;
  two.join(0, 10);
  two.join(0, 11);
  two.connections.leave(two.holds[0], at(0_us), at(0_us));
  two.join(0, 12, 1_s);
  EXPECT_EQ(two.number(0), 0U);
}

TEST(GpuConnections, EachProcessHasItsOwn) {
  TwoConnections two;
  two.join(0, 10);
  two.connections.join(two.holds[1], 1, 11, at(0_us));
  EXPECT_EQ(two.holds[0].connection, 0U);
  EXPECT_EQ(two.holds[1].connection, 2U);
  EXPECT_EQ(two.number(1), 0U);
  EXPECT_EQ(two.connections.head(two.holds[1]), 11U);
}

}  // namespace
}  // namespace septet::test
