// Hardware connections. Launch n (from 0) arrives at 4 n + 5 and starts at 4 n + 7 if nothing holds
// it up.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec with_connections(std::uint32_t connections) {
  system::SystemSpec system = round_system();
  system.connections = connections;
  return system;
}

// Four streams and kernels of 1, 20 and 40 us.
struct Maker : program::ProgramBuilder {
  static constexpr std::uint32_t k1 = 0;
  static constexpr std::uint32_t k20 = 1;
  static constexpr std::uint32_t k40 = 2;

  Maker() {
    for (const Duration time : {1_us, 20_us, 40_us}) kernel(program::spin_kernel(1, 32, time));
    for (int s = 0; s < 4; ++s) stream();
    thread();
  }
};

TEST(Connections, ALaunchThatWaitsHoldsUpTheLaunchesBehindIt) {
  Maker maker;
  maker.launch(Maker::k20, 0);  // 7 to 27
  maker.launch(Maker::k20, 0);  // waits for it
  maker.launch(Maker::k1, 1);   // depends on neither
  const program::Program program = maker.take();
  const TimedRun one(program, with_connections(1));
  EXPECT_EQ(one.start(0, 1), 28_us);
  EXPECT_EQ(one.start(1), 27_us) << "as soon as the launch before it is taken";
  EXPECT_EQ(one.cause(1), records::WaitCause::kConnection);
  const TimedRun two(program, with_connections(2));
  EXPECT_EQ(two.start(1), 15_us);
  EXPECT_EQ(two.cause(1), records::WaitCause::kSubmission);
}

TEST(Connections, AWaitForAnEventHoldsThemUpThroughTheLaunchBehindIt) {
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.launch(Maker::k20, 0);  // 7 to 27
  maker.record(event, 0);
  maker.wait(event, 1);
  maker.launch(Maker::k1, 1);
  maker.launch(Maker::k1, 2);  // a false dependency
  const program::Program program = maker.take();
  const TimedRun one(program, with_connections(1));
  EXPECT_EQ(one.start(1), 27_us);
  EXPECT_EQ(one.start(2), 27_us);
  EXPECT_EQ(one.cause(2), records::WaitCause::kConnection);
  EXPECT_EQ(TimedRun(program, with_connections(2)).start(2), 15_us);
}

TEST(Connections, WaitsAndRecordsAloneHoldNobodyUp) {
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.launch(Maker::k20, 0);
  maker.record(event, 0);
  maker.wait(event, 1);
  maker.launch(Maker::k1, 2);
  EXPECT_EQ(TimedRun(maker.take(), with_connections(1)).start(2), 11_us);
}

TEST(Connections, CopiesBetweenHostAndDeviceHaveQueuesOfTheirOwn) {
  system::SystemSpec system = with_connections(1);
  system.gpu.copy.host_to_device = 1_GBps;
  system.host.copy_cost = 4_us;
  Maker maker;
  maker.launch(Maker::k20, 0);
  maker.launch(Maker::k20, 0);
  maker.copy(1, program::CopyDirection::kHostToDevice, 1_KiB);
  EXPECT_EQ(TimedRun(maker.take(), system).start(1), 13_us);  // as soon as it arrives
}

TEST(Connections, AStreamTakesOneInWhichNothingWaits) {
  Maker maker;
  maker.launch(Maker::k20, 0);  // connection 0, where the second launch waits
  maker.launch(Maker::k20, 0);
  maker.launch(Maker::k1, 1);  // connection 1
  maker.launch(Maker::k1, 2);  // connection 1 again, since nothing waits there
  const TimedRun run(maker.take(), with_connections(2));
  EXPECT_EQ(run.start(1), 15_us);
  EXPECT_EQ(run.start(2), 19_us);
}

TEST(Connections, ElseTheOneGivenOutLeastRecently) {
  Maker maker;
  maker.launch(Maker::k20, 0);  // connection 0: 7 to 27,
  maker.launch(Maker::k20, 0);  // and this one waits until then
  maker.launch(Maker::k40, 1);  // connection 1: 15 to 55,
  maker.launch(Maker::k40, 1);  // and this one waits until then
  maker.launch(Maker::k1, 2);   // connection 0, given out first
  maker.launch(Maker::k1, 3);   // connection 1, since 0 was given out again
  const TimedRun run(maker.take(), with_connections(2));
  EXPECT_EQ(run.start(2), 27_us);
  EXPECT_EQ(run.start(3), 55_us);
}

// Streams 0 and 1 use connections 0 and 1 once; stream 2 then makes a launch wait in connection 0
// until 35. Stream 0 launches again at 21.
program::Program returning_stream() {
  Maker maker;
  maker.launch(Maker::k1, 0);   // starts at 7
  maker.launch(Maker::k1, 1);   // starts at 11
  maker.launch(Maker::k20, 2);  // connection 0, given out first: 15 to 35
  maker.launch(Maker::k20, 2);
  maker.launch(Maker::k1, 0);
  return maker.take();
}

TEST(Connections, AStreamGivesItsOwnBackWhenItsLastLaunchHasStarted) {
  const TimedRun run(returning_stream(), with_connections(2));
  EXPECT_EQ(run.start(0, 1), 23_us) << "connection 1";
}

TEST(Connections, AStreamMayKeepItsOwnForAWhile) {
  system::SystemSpec system = with_connections(2);
  system.gpu.front_end.connection_hold = 14_us;  // after the start at 7: until 21
  EXPECT_EQ(TimedRun(returning_stream(), system).start(0, 1), 35_us) << "connection 0";
  system.gpu.front_end.connection_hold = 13_us;
  EXPECT_EQ(TimedRun(returning_stream(), system).start(0, 1), 23_us) << "connection 1";
}

TEST(Connections, EachTakesOneCommandAnInterval) {
  Maker maker;
  maker.launch(Maker::k1, 0);  // taken at 5: the connection is free at 15
  maker.launch(Maker::k1, 1);  // could start at 11
  const program::Program program = maker.take();
  system::SystemSpec system = with_connections(1);
  system.gpu.front_end.command_interval = 10_us;
  EXPECT_EQ(TimedRun(program, system).start(1), 15_us);
  system.connections = 2;
  EXPECT_EQ(TimedRun(program, system).start(1), 11_us);
}

TEST(Connections, AreEightUnlessTheSystemSaysMoreAndTheGpuHasThem) {
  // Nine streams, each with a launch that waits, and one more: it has to share.
  const auto last_start = [](std::uint32_t connections, std::uint32_t streams) {
    program::ProgramBuilder builder;
    builder.kernel(program::spin_kernel(1, 32, 1_ms));
    builder.kernel(program::spin_kernel(1, 32, 1_us));
    builder.thread();
    for (std::uint32_t s = 0; s < streams; ++s) {
      builder.stream();
      builder.launch(0, s);
      builder.launch(0, s);
    }
    builder.launch(1, builder.stream());
    return TimedRun(builder.take(), with_connections(connections)).start(streams);
  };
  EXPECT_EQ(last_start(0, 7), 63_us);    // launch 14 of 0 to 14: 4 x 14 + 7
  EXPECT_EQ(last_start(0, 8), 1007_us);  // until stream 0's kernel has ended
  EXPECT_EQ(last_start(32, 8), 71_us);   // 4 x 16 + 7
  EXPECT_EQ(error_of<ModelError>([&] { last_start(33, 1); }),
            "33 hardware connections requested,  has at most 32");
}

}  // namespace
}  // namespace septet::test
