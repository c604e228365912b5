// Recordings made by hand: a launch call of 5 us, its kernel 2 us after it or 1 us after the kernel
// before it, waits that return 5 us after the work.
#include "scenarios/study/recording_study.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "core/trace/memory_sink.hpp"
#include "scenarios/replay/start_error.hpp"
#include "tests/models/workload/recorded/import/import_fixture.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Two kernels of 10 us, a synchronisation, 7 us of the CPU's own work, a third kernel.
recorded::Import chain() {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 17, 7);
  launch(maker, 2, 5, 18, 28, 7);
  maker.call("cudaDeviceSynchronize", 10, 33, 3);
  launch(maker, 4, 40, 47, 57, 7);
  maker.call("cudaDeviceSynchronize", 45, 62, 5);
  return import_made(maker);
}

study::Study study_of(const recorded::Import& recording) {
  return study::Study(study::recorded_case("recording", recording.program, recording.latencies,
                                           round_system(), {}));
}

void expect_identity(const recorded::Import& recording) {
  study::Study study = study_of(recording);
  const replay::StartError error = replay::start_error(recording, study.run_baseline());
  EXPECT_EQ(study.result().baseline.summary.span, recording.measured);
  EXPECT_EQ(error.max, 0_us);
  EXPECT_EQ(error.commands, recording.rows.size());
}

TEST(Replay, OfAChainGivesTheRecordedTimes) {
  const recorded::Import recording = chain();
  EXPECT_EQ(recording.measured, 62_us);
  EXPECT_EQ(recording.rows.size(), 3U);
  expect_identity(recording);
  study::Study study = study_of(recording);
  study.run_baseline();
  const analysis::RunSummary& baseline = study.result().baseline.summary;
  EXPECT_EQ(baseline.gpu_commands, 3U);
  EXPECT_EQ(baseline.attribution[analysis::TimeCategory::kGpuBusy], 30_us);
  EXPECT_EQ(baseline.attribution.total(), 62_us);
  ASSERT_EQ(baseline.kernels.size(), 1U);
  EXPECT_EQ(baseline.kernels[0].count, 3U);
  EXPECT_EQ(baseline.kernel_names.at(0), "kernel");
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
  expect_identity(import_made(maker));
}

TEST(Replay, HandsItsRowsOn) {
  study::Study study = study_of(chain());
  std::optional<trace::MemorySink> sink;
  std::size_t observed = 0;
  const analysis::RunRows rows = study.run_baseline(
      {[&](const system::System& system) { return &sink.emplace(system.trace().schema); },
       [&](const system::ProgramRun& run, const analysis::RunSummary&) {
         observed = run.rows.records<records::KernelRecord>().size();
       }});
  EXPECT_EQ(sink->records<records::KernelRecord>().size(), 3U);
  EXPECT_EQ(observed, 3U);
  EXPECT_EQ(rows.works.size(), 3U);
}

TEST(Replay, ComparesAWhatIfWithTheBaseline) {
  study::Study study = study_of(chain());
  study.run_baseline();
  study.run_what_if("cuda-graphs", {"--what-if"});
  const study::Outcome& outcome = study.result().what_ifs.at(0);
  EXPECT_EQ(outcome.name, "cuda-graphs");
  // The graph of the first two: call 2, way and start 3, two of 10 with a gap of 0.5, 5 back:
  // 30.5. The second one: 2 + 3 + 10 + 5.
  EXPECT_EQ(outcome.summary.span, 50_us + 500_ns);
  EXPECT_DOUBLE_EQ(outcome.speedup, 62.0 / 50.5);
  EXPECT_EQ(outcome.notes.at(0), "3 kernels and copies in 2 graph launches");
}

TEST(Replay, KeepsTheBaselineWhenWhatIfsRun) {
  study::Study study = study_of(chain());
  study.run_baseline();
  study.run_what_if("cuda-graphs", {"--what-if"});
  study.run_what_if("cuda-graphs", {"--what-if"});
  const study::StudyResult& result = study.result();
  ASSERT_EQ(result.what_ifs.size(), 2U);
  EXPECT_EQ(result.what_ifs[0].summary.span, result.what_ifs[1].summary.span);
  EXPECT_EQ(result.baseline.summary.span, 62_us);
}

}  // namespace
}  // namespace septet::test
