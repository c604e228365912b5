// Kernels that are timed as a whole, the room that they take and that others take from them. Each
// thread's launch n (from 0) arrives at 4 n + 5 and starts at 4 n + 7. Blocks of 1,024 threads: two
// on each of the four SMs.
#include <gtest/gtest.h>

#include "tests/models/gpu/modelled_system.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

program::Kernel fixed(std::uint64_t blocks, Duration time) {
  return program::spin_kernel(blocks, 1024, time);
}

// Launches the kernels one after the other, each on a stream of its own.
program::Program on_streams(const std::vector<program::Kernel>& kernels,
                            const std::vector<std::int32_t>& priorities) {
  program::ProgramBuilder builder;
  builder.thread();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    builder.launch(builder.kernel(kernels[k]), builder.stream(priorities.at(k)));
  }
  return builder.take();
}

TimedRun run_of(const std::vector<program::Kernel>& kernels,
                const std::vector<std::int32_t>& priorities) {
  return TimedRun(on_streams(kernels, priorities), modelled_system());
}

TEST(SharedRoom, AloneAKernelTakesWhatTheModelSays) {
  const TimedRun run = run_of({waiting_kernel(8, 1024, 10)}, {0});
  EXPECT_EQ(run.start(0), 7_us);
  EXPECT_EQ(run.end(0), 17_us);
}

TEST(SharedRoom, ItWaitsForTheRoomOfBlocksOfFixedTime) {
  const TimedRun run = run_of({fixed(8, 20_us), waiting_kernel(8, 1024, 10)}, {0, 0});
  EXPECT_EQ(run.start(1), 27_us);
  EXPECT_EQ(run.cause(1), records::WaitCause::kSmResources);
  EXPECT_EQ(run.end(1), 37_us);
}

TEST(SharedRoom, BlocksOfFixedTimeWaitForItsRoom) {
  const TimedRun run = run_of({waiting_kernel(8, 1024, 10), fixed(8, 20_us)}, {0, 0});
  EXPECT_EQ(run.start(1), 17_us);
  EXPECT_EQ(run.cause(1), records::WaitCause::kSmResources);
  EXPECT_EQ(run.end(1), 37_us);
}

TEST(SharedRoom, TwoOfThemThatDoNotFitTogetherRunOneAfterTheOther) {
  const TimedRun run = run_of({waiting_kernel(8, 1024, 10), waiting_kernel(8, 1024, 10)}, {0, 0});
  EXPECT_EQ(run.end(0), 17_us);
  EXPECT_EQ(run.start(1), 17_us);
  EXPECT_EQ(run.end(1), 27_us);
}

TEST(SharedRoom, WithRoomForHalfOfItsBlocksItTakesTwiceAsLong) {
  // From 11 to 27 half of the room: 8 of its 10 us are done. Then all of it.
  const TimedRun run = run_of({fixed(4, 20_us), waiting_kernel(8, 1024, 10)}, {0, 0});
  EXPECT_EQ(run.start(1), 11_us);
  EXPECT_EQ(run.cause(1), records::WaitCause::kSubmission);
  EXPECT_EQ(run.end(1), 29_us);
}

TEST(SharedRoom, ItsLastWaveLeavesRoomToOthers) {
  // 12 blocks: 8 from 7 to 17, 4 from 17 to 27.
  const TimedRun run = run_of({waiting_kernel(12, 1024, 10), fixed(4, 20_us)}, {0, 0});
  EXPECT_EQ(run.start(1), 17_us);
  EXPECT_EQ(run.end(0), 27_us);
}

TEST(SharedRoom, AnEquallyUrgentGridWaitsUntilItsBlocksHaveAllStarted) {
  const TimedRun run = run_of({waiting_kernel(24, 1024, 10), fixed(8, 5_us)}, {0, 0});
  EXPECT_EQ(run.end(0), 37_us);
  EXPECT_EQ(run.start(1), 37_us);
}

TEST(SharedRoom, AMoreUrgentGridGetsItsRoomAtTheEndOfAWave) {
  // Waves until 17, 27 and 37; the other one runs from 17 to 22.
  const TimedRun run = run_of({waiting_kernel(24, 1024, 10), fixed(8, 5_us)}, {0, -1});
  EXPECT_EQ(run.start(1), 17_us);
  EXPECT_EQ(run.end(1), 22_us);
  EXPECT_EQ(run.end(0), 42_us);
}

TEST(SharedRoom, AMoreUrgentKernelTimedAsAWholeGetsItAsWell) {
  const TimedRun run = run_of({waiting_kernel(16, 1024, 10), waiting_kernel(8, 1024, 3)}, {0, -1});
  EXPECT_EQ(run.start(1), 17_us);
  EXPECT_EQ(run.end(1), 20_us);
  EXPECT_EQ(run.end(0), 30_us);
}

TEST(SharedRoom, ReadersThatFitTogetherShareTheMemory) {
  system::SystemSpec system = modelled_system();
  system.gpu.kernel.memory.dram_queue_cycles = 1;
  // 4 blocks of 32 warps: 128 KiB at 100 bytes a cycle, 1,311 cycles a turn, over a latency of
  // 1,516: alone each hardly waits. Two of them ask for 2 x 1,311 cycles in each of their turns.
  const program::Program alone = on_streams({reading_kernel(4, 1000)}, {0});
  const program::Program both =
      on_streams({reading_kernel(4, 1000), reading_kernel(4, 1000)}, {0, 0});
  const Duration one = TimedRun(alone, system).end(0) - 7_us;
  const Duration last = TimedRun(both, system).end(1) - 11_us;
  EXPECT_NEAR(to_us(one), 1516, 15);
  EXPECT_NEAR(to_us(last), 2 * 1311, 60);
}

TEST(SharedRoom, AGreenContextLimitsIt) {
  system::SystemSpec system = modelled_system();
  system.gpu.partition = {1, 1, 1};
  program::ProgramBuilder builder;
  builder.context("half", 2);
  builder.thread();
  builder.launch(builder.kernel(waiting_kernel(8, 1024, 10)), builder.stream(0, 0, 0, 0));
  // Two SMs hold four blocks: two waves.
  EXPECT_EQ(TimedRun(builder.take(), system).end(0), 27_us);
}

TEST(SharedRoom, KernelsOfTwoGreenContextsDoNotWaitForEachOther) {
  system::SystemSpec system = modelled_system();
  system.gpu.partition = {1, 1, 1};
  program::ProgramBuilder builder;
  builder.context("a", 2);
  builder.context("b", 2);
  builder.thread();
  builder.launch(builder.kernel(waiting_kernel(4, 1024, 10)), builder.stream(0, 0, 0, 0));
  builder.launch(builder.kernel(waiting_kernel(4, 1024, 10)), builder.stream(0, 0, 0, 1));
  const TimedRun run(builder.take(), system);
  EXPECT_EQ(run.end(0), 17_us);
  EXPECT_EQ(run.end(1), 21_us);
}

TEST(SharedRoom, ItStandsStillWhileItsProcessIsSwitchedOut) {
  system::SystemSpec system = modelled_system();
  system.gpu.time_slice = {100_us, 10_us, 2_us};
  program::ProgramBuilder builder;
  for (const double turns : {250.0, 50.0}) {
    const auto process = static_cast<std::uint32_t>(turns < 100);
    const std::uint32_t stream = builder.stream(0, process);
    builder.thread(process);
    builder.launch(builder.kernel(waiting_kernel(1, 32, turns)), stream);
  }
  // Process 0 has the GPU from 5 to 105, when one block is moved: 12 us. Process 1 runs from 117 to
  // 167 and is done; process 0 is back at 177, 72 us later.
  const TimedRun run(builder.take(), system);
  EXPECT_EQ(run.end(1), 167_us);
  EXPECT_EQ(run.end(0), 329_us);  // 7 + 250 + 72
}

// One kernel of 20 us, recorded where it had the GPU for itself, on each of two streams.
TimedRun two_recorded(std::uint32_t blocks, const system::SystemSpec& system) {
  program::Kernel kernel = fixed(blocks, Duration(0));
  kernel.work = program::RecordedWork{};
  program::Program program = on_streams({kernel, kernel}, {0, 0});
  for (program::Call& call : program.threads[0].calls) time_in(call) = 20_us;
  return TimedRun(program, system);
}

TEST(SharedRoom, RecordedKernelsTakeNoneUnlessTheyAreToldToShare) {
  const TimedRun run = two_recorded(8, modelled_system());
  EXPECT_EQ(run.end(0), 27_us);
  EXPECT_EQ(run.end(1), 31_us);
}

TEST(SharedRoom, RecordedKernelsThatShareWaitForRoom) {
  system::SystemSpec system = modelled_system();
  system.recorded_share = true;
  const TimedRun full = two_recorded(8, system);
  EXPECT_EQ(full.end(0), 27_us);
  EXPECT_EQ(full.start(1), 27_us);
  EXPECT_EQ(full.end(1), 47_us);
  const TimedRun half = two_recorded(4, system);
  EXPECT_EQ(half.end(1), 31_us) << "there is room for both";
}

TEST(SharedRoom, TheStartOfAKernelLengthensTheRecordedOnesThatRun) {
  system::SystemSpec system = modelled_system();
  system.recorded_share = true;
  system.gpu.kernel.cold.neighbour_start = 1_us;
  const TimedRun run = two_recorded(2, system);
  EXPECT_EQ(run.end(0), 28_us);
  EXPECT_EQ(run.end(1), 31_us);
}

}  // namespace
}  // namespace septet::test
