#include "scenarios/whatif/call_times.hpp"

#include <gtest/gtest.h>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Thread 0: own work until 3, a launch until 7, a post. Thread 1: own work until 5, a launch.
program::Program two_threads() {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.stream();
  builder.stream();
  builder.signal();
  builder.thread();
  builder.work(3_us);
  builder.launch(0, 0);
  builder.post(0);
  builder.thread();
  builder.work(5_us);
  builder.launch(0, 1);
  return builder.take();
}

TEST(CallTimes, AreThoseOfTheRunAndOfTheNeighboursWhereItShowsNone) {
  const program::Program program = two_threads();
  const auto times = whatif::call_times(program, TimedRun(program).rows());
  ASSERT_EQ(times.size(), 2U);
  ASSERT_EQ(times[0].size(), 3U);
  EXPECT_EQ(times[0][0].start - Instant(), 0_us);  // own work: not shown
  EXPECT_EQ(times[0][1].start - Instant(), 3_us);
  EXPECT_EQ(times[0][1].end - Instant(), 7_us);
  EXPECT_EQ(times[0][2].start - Instant(), 7_us);  // the post: after the launch
  EXPECT_EQ(times[1][1].start - Instant(), 5_us);
}

TEST(CallsInOrder, MixTheThreadsOfAProcessAsTheyRan) {
  const program::Program program = two_threads();
  const std::vector<whatif::TimedCall> calls =
      whatif::calls_in_order(program, TimedRun(program).rows(), 0);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> order;
  for (const whatif::TimedCall& call : calls) order.emplace_back(call.thread, call.index);
  EXPECT_EQ(order, (std::vector<std::pair<std::uint32_t, std::uint64_t>>{
                       {0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}}));
}

TEST(CallsInOrder, LeaveOutOtherProcesses) {
  program::Program program = two_threads();
  program.processes = 2;
  program.threads[1].process = 1;
  program.streams[1].process = 1;
  system::SystemSpec system = round_system();
  system.mps = true;
  const analysis::RunRows rows = TimedRun(program, system).rows();
  EXPECT_EQ(whatif::calls_in_order(program, rows, 0).size(), 3U);
  EXPECT_EQ(whatif::calls_in_order(program, rows, 1).size(), 2U);
}

}  // namespace
}  // namespace septet::test
