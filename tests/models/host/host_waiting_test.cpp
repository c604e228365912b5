// What host threads wait for. A launch at 0 returns at 4; its kernel starts at 7; what ends at t is
// seen by the host at t + 1, and a thread that waited returns at t + 2.
#include <gtest/gtest.h>

#include "models/host/host_process.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// One thread, streams 0 and 1, kernels of 10 us and 100 us.
struct Maker : program::ProgramBuilder {
  static constexpr std::uint32_t kShort = 0;
  static constexpr std::uint32_t kLong = 1;

  Maker() {
    kernel(program::spin_kernel(1, 32, 10_us));
    kernel(program::spin_kernel(1, 32, 100_us));
    stream();
    stream();
    thread();
  }
};

// Both streams busy: stream 0 from 7 to 17, stream 1 from 11 to 111; the launches end at 8.
Maker both_busy() {
  Maker maker;
  maker.launch(Maker::kShort, 0);
  maker.launch(Maker::kLong, 1);
  return maker;
}

TEST(Synchronisation, OfADeviceWaitsForAllStreams) {
  Maker maker = both_busy();
  maker.synchronize_device();
  const records::ApiCallRecord call = TimedRun(maker.take()).call(0, 2);
  EXPECT_EQ(call.start - Instant(), 8_us);
  EXPECT_EQ(call.waited, 104_us);  // until 112
  EXPECT_EQ(call.end - Instant(), 113_us);
}

TEST(Synchronisation, OfAStreamWaitsForThatStream) {
  Maker maker = both_busy();
  maker.synchronize_stream(0);
  EXPECT_EQ(TimedRun(maker.take()).call_end(0, 2), 19_us);
}

TEST(Synchronisation, WaitsOnlyForWhatWasSubmittedBefore) {
  Maker maker;
  maker.launch(Maker::kShort, 0);
  maker.synchronize_stream(0);
  maker.thread();
  maker.work(5_us);
  maker.launch(Maker::kLong, 0);
  EXPECT_EQ(TimedRun(maker.take()).call_end(0, 1), 19_us);
}

TEST(Synchronisation, OfAnEventWaitsForItsRecordAlone) {
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.launch(Maker::kShort, 0);
  maker.record(event, 0);
  maker.launch(Maker::kLong, 0);
  program::Program program = maker.take();
  append(program, program::CallKind::kSynchronizeEvent, event);
  EXPECT_EQ(TimedRun(program).call_end(0, 3), 19_us);
}

TEST(Synchronisation, OfAnEventWaitsForItsLastRecord) {
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.record(event, 0);
  maker.launch(Maker::kShort, 0);
  maker.record(event, 0);
  program::Program program = maker.take();
  append(program, program::CallKind::kSynchronizeEvent, event);
  EXPECT_EQ(TimedRun(program).call_end(0, 3), 19_us);
}

TEST(Synchronisation, OfAnEventNeverRecordedCostsOnlyTheCall) {
  system::SystemSpec system = round_system();
  system.host.synchronize_cost = 3_us;
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.launch(Maker::kLong, 0);
  program::Program program = maker.take();
  append(program, program::CallKind::kSynchronizeEvent, event);
  const records::ApiCallRecord call = TimedRun(program, system).call(0, 1);
  EXPECT_EQ(call.end - call.start, 3_us);
  EXPECT_EQ(call.waited, 0_us);
}

TEST(Synchronisation, WithNothingToWaitForCostsOnlyTheCall) {
  system::SystemSpec system = round_system();
  system.host.synchronize_cost = 3_us;
  Maker maker;
  maker.synchronize_device();
  EXPECT_EQ(TimedRun(maker.take(), system).call_end(0, 0), 3_us);
}

TEST(Synchronisation, ReturnsAtTheLaterOfItsOwnCostAndTheWait) {
  system::SystemSpec system = round_system();
  Maker maker;
  maker.launch(Maker::kShort, 0);
  maker.synchronize_stream(0);
  const program::Program program = maker.take();
  // From 4: done at 17, seen at 18, awake at 19.
  system.host.synchronize_cost = 15_us;
  EXPECT_EQ(TimedRun(program, system).call_end(0, 1), 19_us);
  system.host.synchronize_cost = 16_us;
  EXPECT_EQ(TimedRun(program, system).call_end(0, 1), 20_us);
}

TEST(Synchronisation, WakesTheThreadAfterTheWakeLatency) {
  system::SystemSpec system = round_system();
  system.host.wake_latency = 7_us;
  Maker maker;
  maker.launch(Maker::kShort, 0);
  maker.synchronize_stream(0);
  const records::ApiCallRecord call = TimedRun(maker.take(), system).call(0, 1);
  EXPECT_EQ(call.end - Instant(), 25_us);  // 18 + 7
  EXPECT_EQ(call.waited, 14_us);           // from 4 to 18: waking up is not waiting
}

TEST(Synchronisation, LeavesOtherProcessesAlone) {
  system::SystemSpec system = round_system();
  system.mps = true;
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.kernel(program::spin_kernel(1, 32, 100_us));
  for (std::uint32_t p = 0; p < 2; ++p) {
    const std::uint32_t stream = builder.stream(0, p);
    builder.thread(p);
    builder.launch(p, stream);
    builder.synchronize_device();
  }
  const TimedRun run(builder.take(), system);
  EXPECT_EQ(run.call_end(0, 1), 19_us);
  EXPECT_EQ(run.call_end(1, 1), 109_us);
}

TEST(Synchronisation, OfOneDeviceDoesNotWaitForAnother) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.kernel(program::spin_kernel(1, 32, 100_us));
  builder.stream(0, 0, 0);
  builder.stream(0, 0, 1);
  builder.thread();
  builder.launch(0, 0);
  builder.launch(1, 1);
  builder.synchronize_device(0);
  builder.synchronize_device(1);
  const TimedRun run(builder.take());
  EXPECT_EQ(run.call_end(0, 2), 19_us);
  EXPECT_EQ(run.call_end(0, 3), 113_us);
}

TEST(Synchronisation, SeveralThreadsMayWaitForOneStream) {
  Maker maker;
  maker.launch(Maker::kShort, 0);
  maker.synchronize_stream(0);
  maker.thread();
  maker.work(6_us);
  maker.synchronize_stream(0);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.call_end(0, 1), 19_us);
  EXPECT_EQ(run.call_end(1, 0), 19_us);
  EXPECT_EQ(run.call(1, 0).waited, 12_us);
}

TEST(BlockingCopy, ReturnsWhenTheDataAreThere) {
  system::SystemSpec system = round_system();
  system.host.copy_cost = 2_us;
  system.host.pageable_read_rate = 1_GBps;  // 10,000 bytes: 10 us of CPU time
  system.gpu.copy.device_to_host = 1_GBps;
  Maker maker;
  maker.copy(0, program::CopyDirection::kDeviceToHost, Bytes(10'000), false);
  const TimedRun run(maker.take(), system);
  // Leaves after 12, arrives at 13, runs for 10, seen at 24.
  EXPECT_EQ(run.end(0), 23_us);
  EXPECT_EQ(run.call_end(0, 0), 25_us);
}

TEST(Signal, LetsAWaitingThreadGoOnAtOnce) {
  Maker maker;
  const std::uint32_t signal = maker.signal();
  maker.work(5_us);
  maker.post(signal);
  maker.thread();
  maker.await(signal, 1);
  maker.launch(Maker::kShort, 1);
  EXPECT_EQ(TimedRun(maker.take()).call_start(1, 0), 5_us);
}

TEST(Signal, RaisedBeforeHoldsNobodyUp) {
  Maker maker;
  const std::uint32_t signal = maker.signal();
  maker.post(signal);
  maker.thread();
  maker.work(5_us);
  maker.await(signal, 1);
  maker.launch(Maker::kShort, 1);
  EXPECT_EQ(TimedRun(maker.take()).call_start(1, 0), 5_us);
}

TEST(Signal, CountsHowOftenItWasRaised) {
  Maker maker;
  const std::uint32_t signal = maker.signal();
  for (int turn = 0; turn < 3; ++turn) {
    maker.work(5_us);
    maker.post(signal);
  }
  for (std::int64_t times : {2, 3}) {
    maker.thread();
    maker.await(signal, times);
    maker.launch(Maker::kShort, 1);
  }
  const TimedRun run(maker.take());
  EXPECT_EQ(run.call_start(1, 0), 10_us);
  EXPECT_EQ(run.call_start(2, 0), 15_us);
}

TEST(Signal, ThreadsMayHandWorkToAndFro) {
  Maker maker;
  const std::uint32_t there = maker.signal();
  const std::uint32_t back = maker.signal();
  maker.work(2_us);
  maker.post(there);
  maker.await(back, 1);
  maker.launch(Maker::kShort, 0);
  maker.thread();
  maker.await(there, 1);
  maker.work(3_us);
  maker.post(back);
  EXPECT_EQ(TimedRun(maker.take()).call_start(0, 0), 5_us);
}

TEST(Waiting, ForEverIsReportedWithTheSignalAndItsCount) {
  Maker maker;
  const std::uint32_t signal = maker.signal();
  maker.post(signal);
  maker.thread(0, "consumer");
  maker.await(signal, 2);
  const program::Program program = maker.take();
  EXPECT_EQ(
      error_of<ModelError>([&] { TimedRun run(program); }),
      "the program cannot continue:\n  thread 'consumer' of process 0 at call 0 (await) waits for "
      "post 2 of signal 0, posted 1 times\n  signal 0: nothing will post it again");
}

TEST(Waiting, ForItemsThatNobodyServesIsReportedWithTheQueue) {
  Maker maker;
  const std::uint32_t queue = maker.queue();
  maker.push(queue, 1_us);
  maker.await_items(queue, 1);
  const program::Program program = maker.take();
  EXPECT_EQ(
      error_of<ModelError>([&] { TimedRun run(program); }),
      "the program cannot continue:\n  thread 'main' of process 0 at call 1 (await items) waits "
      "for item 1 of queue 0, of which 0 are done\n  queue 0 holds 1 item that no block "
      "takes; nothing will launch its kernel");
}

}  // namespace
}  // namespace septet::test
