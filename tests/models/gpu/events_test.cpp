// Events that order streams. A kernel of 10 us on stream 0 runs from 7 to 17; records and waits
// cost the CPU nothing. Launch n (from 0) could start at 4 n + 7.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

struct Maker : program::ProgramBuilder {
  Maker() {
    kernel(program::spin_kernel(1, 32, 10_us));
    kernel(program::spin_kernel(1, 32, 100_us));
    for (int s = 0; s < 5; ++s) stream();
    for (int e = 0; e < 2; ++e) event();
    thread();
  }
};

// Stream 0 runs the kernel, all others wait for it and launch one each.
program::Program fan(std::uint32_t waiting) {
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  for (std::uint32_t s = 1; s <= waiting; ++s) maker.wait(0, s);
  for (std::uint32_t s = 1; s <= waiting; ++s) maker.launch(0, s);
  return maker.take();
}

TEST(Events, AStreamGoesOnWhenTheOneItWaitsForHasGotThere) {
  system::SystemSpec system = round_system();
  EXPECT_EQ(TimedRun(fan(1), system).start(1), 17_us);
  system.gpu.front_end.event_wait_latency = 2_us;
  const TimedRun run(fan(1), system);
  EXPECT_EQ(run.start(1), 19_us);
  EXPECT_EQ(run.cause(1), records::WaitCause::kEvent);
}

TEST(Events, SeveralWaitingStreamsAreLookedAtInTurn) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.event_wait_latency = 4_us;
  system.gpu.front_end.event_poll_interval = 2_us;
  // On average half an interval passes before the first is looked at: 17 + 4 + 1, then every 2.
  const TimedRun run(fan(4), system);
  for (std::uint32_t s = 1; s <= 4; ++s) EXPECT_EQ(run.start(s), 20_us + 2_us * s) << s;
}

TEST(Events, ThereAreNoMoreTurnsThanConnections) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.event_wait_latency = 4_us;
  system.gpu.front_end.event_poll_interval = 2_us;
  system.connections = 2;
  const TimedRun run(fan(4), system);
  EXPECT_EQ(run.start(1), 22_us);
  for (std::uint32_t s = 2; s <= 4; ++s) EXPECT_EQ(run.start(s), 24_us) << s;
}

TEST(Events, RecordedLongAgoHoldNobodyUp) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.event_wait_latency = 5_us;
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.work(100_us);
  maker.wait(0, 1);
  maker.launch(0, 1);  // from 104
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(run.start(1), 111_us);
  EXPECT_EQ(run.cause(1), records::WaitCause::kSubmission);
}

TEST(Events, NeverRecordedHoldNobodyUp) {
  Maker maker;
  maker.wait(0, 1);
  maker.launch(0, 1);
  EXPECT_EQ(TimedRun(maker.take()).start(1), 7_us);
}

TEST(Events, AWaitIsForTheLastRecordBeforeIt) {
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.wait(0, 1);
  maker.launch(0, 1);
  maker.launch(1, 0);  // 100 us
  maker.record(0, 0);
  maker.wait(0, 2);
  maker.launch(0, 2);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.start(1), 17_us) << "the first record";
  EXPECT_EQ(run.start(2), 118_us) << "the second one, after the gap of 1 and 100";
}

TEST(Events, AWaitIsForThatRecordEvenIfALaterOneOnAnotherStreamIsDoneBefore) {
  Maker maker;
  maker.launch(1, 0);  // 7 to 107
  maker.record(0, 0);
  maker.wait(0, 1);
  maker.launch(0, 1);
  maker.record(0, 2);  // an idle stream
  maker.wait(0, 3);
  maker.launch(0, 3);  // from 8
  const TimedRun run(maker.take());
  EXPECT_EQ(run.start(1), 107_us);
  EXPECT_EQ(run.start(3), 15_us);
}

TEST(Events, AStreamMayWaitForSeveral) {
  Maker maker;
  maker.launch(1, 0);  // 7 to 107
  maker.record(0, 0);
  maker.launch(0, 1);  // 11 to 21
  maker.record(1, 1);
  maker.wait(0, 2);
  maker.wait(1, 2);
  maker.launch(0, 2);
  EXPECT_EQ(TimedRun(maker.take()).start(2), 107_us);
}

TEST(Events, ChainsOverStreamsAddUp) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.event_wait_latency = 2_us;
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.wait(0, 1);
  maker.record(1, 1);  // stream 1 has nothing but the wait before it
  maker.wait(1, 2);
  maker.launch(0, 2);
  // Stream 1 passes its wait when the event is recorded; the latency is only of the launch behind.
  EXPECT_EQ(TimedRun(maker.take(), system).start(2), 19_us);
}

TEST(Events, ALaterLaunchOfTheWaitingStreamPaysTheGapOnly) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.event_wait_latency = 5_us;
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.wait(0, 1);
  maker.launch(0, 1);  // 22 to 32
  maker.launch(0, 1);
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(run.start(1, 0), 22_us);
  EXPECT_EQ(run.start(1, 1), 33_us);
  EXPECT_EQ(run.cause(1, 1), records::WaitCause::kStreamOrder);
}

TEST(Records, WriteDownTheTimeOfACommandBehindTheStreamsWork) {
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.launch(0, 0);
  maker.record(1, 0);
  // After the gap of 1 us behind each kernel: 7 + 10 + 1, then 18 + 10 + 1.
  EXPECT_EQ(TimedRun(maker.take()).records(), (std::vector{18_us, 29_us}));
}

TEST(Records, OnAnIdleStreamTakeTheirOwnLatency) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.record_latency = 3_us;
  Maker maker;
  maker.work(10_us);
  maker.record(0, 0);  // arrives at 11
  EXPECT_EQ(TimedRun(maker.take(), system).records(), (std::vector{14_us}));
}

TEST(Records, OnABusyStreamTakeNoLatency) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.record_latency = 3_us;
  system.gpu.front_end.stream_gap = 0_us;
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);  // has been waiting since 5
  EXPECT_EQ(TimedRun(maker.take(), system).records(), (std::vector{17_us}));
}

TEST(Events, ReachAnotherDeviceAfterThePeerLatency) {
  system::SystemSpec system = round_system();
  system.peer_latency = 3_us;
  system.gpu.front_end.event_wait_latency = 2_us;
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.stream(0, 0, 0);
  builder.stream(0, 0, 1);
  builder.event();
  builder.thread();
  builder.launch(0, 0);
  builder.record(0, 0);
  builder.wait(0, 1);
  builder.launch(0, 1);
  const TimedRun run(builder.take(), system);
  EXPECT_EQ(run.start(1), 22_us);  // 17 + 3 + 2
  EXPECT_EQ(run.works(1).at(0).device, 1);
}

}  // namespace
}  // namespace septet::test
