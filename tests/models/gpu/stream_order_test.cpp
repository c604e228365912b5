// Launches of one stream and of several. Launch n (from 0) takes the CPU from 4 n to 4 n + 4,
// arrives at 4 n + 5 and starts at 4 n + 7 if nothing holds it up; a kernel follows the one before
// it in its stream after 1 us.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Two streams, a kernel of 10 us (0) and one of no time (1).
struct Maker : program::ProgramBuilder {
  Maker() {
    kernel(program::spin_kernel(1, 32, 10_us));
    kernel(program::spin_kernel(1, 32, 0_us));
    stream();
    stream();
    thread();
  }
};

TEST(StreamOrder, AKernelFollowsTheOneBeforeItAfterTheGap) {
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 0);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.start(0, 0), 7_us);
  EXPECT_EQ(run.cause(0, 0), records::WaitCause::kSubmission);
  EXPECT_EQ(run.start(0, 1), 18_us);
  EXPECT_EQ(run.cause(0, 1), records::WaitCause::kStreamOrder);
}

TEST(StreamOrder, ALaunchThatComesLateWaitsForNothing) {
  Maker maker;
  maker.launch(0, 0);
  maker.work(7_us);
  maker.launch(0, 0);  // from 11: could start at 18, as the gap would have it
  maker.work(10_us);
  maker.launch(0, 0);  // from 25: could start at 32, the gap ends at 29
  const TimedRun run(maker.take());
  EXPECT_EQ(run.start(0, 1), 18_us);
  EXPECT_EQ(run.start(0, 2), 32_us);
  EXPECT_EQ(run.cause(0, 2), records::WaitCause::kSubmission);
}

TEST(StreamOrder, AHoldDelaysTheNextKernelOfItsStreamAndNothingElse) {
  Maker maker;
  maker.add({.what = program::Hold{30_us}, .stream = 0});
  maker.launch(0, 0);
  maker.launch(0, 1);
  maker.launch(0, 0);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.start(0, 0), 37_us);
  EXPECT_EQ(run.works(0)[0].ready - Instant(), 7_us);
  EXPECT_EQ(run.cause(0, 0), records::WaitCause::kUnrecorded);
  EXPECT_EQ(run.start(1), 11_us);
  EXPECT_EQ(run.start(0, 1), 48_us) << "the hold is used up";
}

TEST(StreamOrder, StreamsDoNotWaitForEachOther) {
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 1);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.start(1), 11_us);
  EXPECT_EQ(run.end(1), 21_us);
}

TEST(StreamOrder, KernelsOfOneStreamNeverOverlapAndKeepTheirOrder) {
  Maker maker;
  for (int k = 0; k < 6; ++k) maker.launch(k % 2 == 0 ? 0 : 1, 0);
  const std::vector<analysis::GpuWork> works = TimedRun(maker.take()).works(0);
  ASSERT_EQ(works.size(), 6U);
  for (std::size_t k = 1; k < works.size(); ++k) {
    EXPECT_EQ(works[k].call, static_cast<std::int64_t>(k));
    EXPECT_GE(works[k].start, works[k - 1].end);
  }
}

TEST(StreamOrder, RecordedKernelsKeepTheirDurationWhateverRunsBesideThem) {
  // 1,000 blocks that would need many waves: the recording knows better.
  Maker maker;
  program::Kernel recorded = program::spin_kernel(1000, 1024, 0_us);
  recorded.work = program::RecordedWork{};
  const std::uint32_t kernel = maker.kernel(recorded);
  maker.launch(kernel, 0);
  maker.launch(kernel, 1);
  program::Program program = maker.take();
  for (program::Call& call : program.threads[0].calls) time_in(call) = 30_us;
  const TimedRun run(program);
  EXPECT_EQ(run.end(0), 37_us);
  EXPECT_EQ(run.end(1), 41_us);
}

TEST(StreamOrder, GridsOnTwoStreamsShareTheSms) {
  // Four SMs hold 8 blocks of 1,024 threads: 6 of the first, 2 of the second, whose other 4 follow
  // when the first ends.
  Maker maker;
  const std::uint32_t kernel = maker.kernel(program::spin_kernel(6, 1024, 50_us));
  maker.launch(kernel, 0);
  maker.launch(kernel, 1);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.end(0), 57_us);
  EXPECT_EQ(run.start(1), 11_us);
  EXPECT_EQ(run.end(1), 107_us);
}

TEST(StreamOrder, AMoreUrgentStreamGetsTheNextRoom) {
  const auto start_of_second = [](std::int32_t priority) {
    program::ProgramBuilder builder;
    const std::uint32_t background =
        builder.kernel(program::spin_kernel(24, 1024, 50_us));  // three waves
    const std::uint32_t kernel = builder.kernel(program::spin_kernel(1, 1024, 10_us));
    const std::uint32_t slow = builder.stream();
    const std::uint32_t fast = builder.stream(priority);
    builder.thread();
    builder.launch(background, slow);
    builder.launch(kernel, fast);
    return TimedRun(builder.take()).start(fast);
  };
  EXPECT_EQ(start_of_second(-5), 57_us);  // after the first wave
  EXPECT_EQ(start_of_second(0), 157_us);  // after the last
}

TEST(LaunchLatency, GrowsWithConnectionsBeyondTheDefault) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.launch_latency_per_connection = 100_ns;
  const auto start_with = [&](std::uint32_t connections) {
    system.connections = connections;
    Maker maker;
    maker.launch(0, 0);
    return TimedRun(maker.take(), system).start(0);
  };
  EXPECT_EQ(start_with(1), 7_us);
  EXPECT_EQ(start_with(8), 7_us);
  EXPECT_EQ(start_with(10), 7_us + 200_ns);
}

}  // namespace
}  // namespace septet::test
