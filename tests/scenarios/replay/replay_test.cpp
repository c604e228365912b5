// Recordings made by hand: a launch call of 5 us, its kernel 2 us after it or 1 us after the kernel
// before it, waits that return 5 us after the work.
#include "scenarios/replay/replay.hpp"

#include <gtest/gtest.h>

#include "core/trace/memory_sink.hpp"
#include "tests/models/workload/recorded/import/import_fixture.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Two kernels of 10 us, a synchronisation, 7 us of the CPU's own work, a third kernel.
Import chain() {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 17, 7);
  launch(maker, 2, 5, 18, 28, 7);
  maker.call("cudaDeviceSynchronize", 10, 33, 3);
  launch(maker, 4, 40, 47, 57, 7);
  maker.call("cudaDeviceSynchronize", 45, 62, 5);
  return import_made(maker);
}

const ReplayReport& expect_identity(Replay& replay) {
  replay.run_baseline(nullptr);
  const ReplayReport& report = replay.report();
  EXPECT_EQ(report.baseline.span, report.measured);
  EXPECT_EQ(report.start_error.max, 0_us);
  return report;
}

TEST(Replay, OfAChainGivesTheRecordedTimes) {
  const Import recording = chain();
  Replay replay(recording, round_system(), {});
  const ReplayReport& report = expect_identity(replay);
  EXPECT_EQ(report.measured, 62_us);
  EXPECT_EQ(report.start_error.commands, 3U);
  EXPECT_EQ(report.baseline.gpu_commands, 3U);
  EXPECT_EQ(report.baseline.attribution[TimeCategory::kGpuBusy], 30_us);
  EXPECT_EQ(report.baseline.attribution.total(), 62_us);
  ASSERT_EQ(report.baseline.kernels.size(), 1U);
  EXPECT_EQ(report.baseline.kernels[0].count, 3U);
  EXPECT_EQ(report.baseline.kernel_names.at(0), "kernel");
}

TEST(Replay, OfTwoStreamsAndAnEventGivesTheRecordedTimes) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 100, 7);
  maker.call("cudaEventRecord", 6, 8, 2);
  maker.call("cudaStreamWaitEvent", 9, 10, 3);
  maker.sync(3, 8, 2, 7);
  launch(maker, 4, 11, 101, 150, 8);
  maker.call("cudaStreamSynchronize", 17, 155, 5);
  maker.sync(5, 8);
  const Import recording = import_made(maker);
  Replay replay(recording, round_system(), {});
  expect_identity(replay);
}

TEST(Replay, HandsItsRowsOn) {
  const Import recording = chain();
  Replay replay(recording, round_system(), {});
  System made(recording.program, replay.system());
  MemorySink sink(made.trace().schema);
  replay.run_baseline(made, &sink);
  EXPECT_EQ(sink.rows(made.trace().kernels), 3U);
}

TEST(Replay, ComparesAWhatIfWithTheBaseline) {
  const Import recording = chain();
  Replay replay(recording, round_system(), {});
  replay.run_baseline(nullptr);
  replay.run_what_if("cuda-graphs");
  const WhatIfOutcome& outcome = replay.report().what_ifs.at(0);
  EXPECT_EQ(outcome.name, "cuda-graphs");
  // The graph of the first two: call 2, way and start 3, two of 10 with a gap of 0.5, 5 back:
  // 30.5. The second one: 2 + 3 + 10 + 5.
  EXPECT_EQ(outcome.summary.span, 50_us + 500_ns);
  EXPECT_DOUBLE_EQ(outcome.speedup, 62.0 / 50.5);
  EXPECT_EQ(outcome.notes.at(0), "3 kernels and copies in 2 graph launches");
}

TEST(Replay, KeepsTheBaselineWhenWhatIfsRun) {
  const Import recording = chain();
  Replay replay(recording, round_system(), {});
  replay.run_baseline(nullptr);
  replay.run_what_if("cuda-graphs");
  replay.run_what_if("cuda-graphs");
  ASSERT_EQ(replay.report().what_ifs.size(), 2U);
  EXPECT_EQ(replay.report().what_ifs[0].summary.span, replay.report().what_ifs[1].summary.span);
  EXPECT_EQ(replay.report().baseline.span, 62_us);
}

}  // namespace
}  // namespace septet::test
