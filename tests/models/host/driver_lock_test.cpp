// The driver lock, which the threads of one process share. A launch costs 4 us, of which it holds
// the lock for 3; taking it from another thread costs 1 us more.
#include <gtest/gtest.h>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec locking_system() {
  system::SystemSpec system = round_system();
  system.host.driver_lock_time = 3_us;
  system.host.lock_handover = 1_us;
  return system;
}

// `threads` threads of `launches` launches each, on streams of their own.
program::Program launching_threads(std::uint32_t threads, int launches,
                                   bool own_processes = false) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 0_us));
  for (std::uint32_t t = 0; t < threads; ++t) {
    const std::uint32_t process = own_processes ? t : 0;
    const std::uint32_t stream = builder.stream(0, process);
    builder.thread(process);
    for (int l = 0; l < launches; ++l) builder.launch(0, stream);
  }
  return builder.take();
}

TEST(DriverLock, OneThreadNeverWaitsForItself) {
  const TimedRun run(launching_threads(1, 3), locking_system());
  EXPECT_EQ(run.call_end(0, 0), 4_us);
  EXPECT_EQ(run.call_end(0, 2), 12_us);
}

TEST(DriverLock, ThreadsTakeTurnsInTheOrderInWhichTheyAsk) {
  const TimedRun run(launching_threads(2, 2), locking_system());
  // Thread 0 holds the lock from 0 to 3. Thread 1 gets it at 3 + 1, holds it until 7, returns
  // 4 us after it got it.
  EXPECT_EQ(run.call_end(0, 0), 4_us);
  EXPECT_EQ(run.call_end(1, 0), 8_us);
  // Thread 0 asks again at 4 and gets it at 7 + 1; it is free at 11.
  EXPECT_EQ(run.call_end(0, 1), 12_us);
  // Thread 1 asks again at 8 and gets it at 11 + 1.
  EXPECT_EQ(run.call_end(1, 1), 16_us);
}

TEST(DriverLock, EachFurtherThreadWaitsForAllBeforeIt) {
  const TimedRun run(launching_threads(4, 1), locking_system());
  // The lock passes on every 3 + 1 us.
  for (int t = 0; t < 4; ++t) EXPECT_EQ(run.call_end(t, 0), 4_us * (t + 1));
}

TEST(DriverLock, AFreeLockIsHandedOverForNothing) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 0_us));
  builder.stream();
  builder.stream();
  builder.thread();
  builder.launch(0, 0);
  builder.thread();
  builder.work(3_us);  // until the very moment at which thread 0 gives it back
  builder.launch(0, 1);
  EXPECT_EQ(TimedRun(builder.take(), locking_system()).call_end(1, 0), 7_us);
}

TEST(DriverLock, ACallHoldsItNoLongerThanItLasts) {
  system::SystemSpec system = locking_system();
  system.host.driver_lock_time = 100_us;
  const TimedRun run(launching_threads(2, 1), system);
  EXPECT_EQ(run.call_end(1, 0), 9_us);  // 4 + 1 + 4
}

TEST(DriverLock, OtherApiCallsTakeItToo) {
  system::SystemSpec system = locking_system();
  system.host.api_cost = 2_us;
  program::Program program = launching_threads(2, 0);
  append(program, program::CallKind::kApi, kNone, 0);
  append(program, program::CallKind::kApi, kNone, 1);
  // Held for the 2 us of the call: 2 + 1 + 2.
  EXPECT_EQ(TimedRun(program, system).call_end(1, 0), 5_us);
}

TEST(DriverLock, OwnWorkAndSynchronisationsDoNot) {
  system::SystemSpec system = locking_system();
  system.host.synchronize_cost = 2_us;
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 0_us));
  builder.stream();
  builder.thread();
  builder.launch(0, 0);
  builder.thread();
  builder.work(1_us);
  builder.synchronize_device(0);
  program::Program program = builder.take();
  program.threads[1].calls[1].what = program::SynchronizeEvent{0};  // of an event never recorded
  program.events = 1;
  EXPECT_EQ(TimedRun(program, system).call_end(1, 0), 3_us);
}

TEST(DriverLock, ProcessesHaveLocksOfTheirOwn) {
  system::SystemSpec system = locking_system();
  system.mps = true;
  const TimedRun run(launching_threads(2, 1, true), system);
  EXPECT_EQ(run.call_end(0, 0), 4_us);
  EXPECT_EQ(run.call_end(1, 0), 4_us);
}

TEST(DriverLock, TheDoorbellRingsLaterByTheWaitForTheLock) {
  const TimedRun run(launching_threads(2, 1), locking_system());
  // Thread 1's launch takes from 4 to 8, the way 1, the start 2.
  EXPECT_EQ(run.start(1), 11_us);
}

}  // namespace
}  // namespace septet::test
