// Rules of the importer for graphs, overlaps, late starts, orphans, shapes and threads.
#include <gtest/gtest.h>

#include "tests/models/workload/recorded/import/import_fixture.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

void launch_graph(RecordingMaker& maker, std::uint64_t correlation, double at,
                  double second_duration) {
  maker.call("cudaGraphLaunch", at, at + 5, correlation);
  maker.kernel(correlation, at + 8, at + 10, 7, "first");
  maker.kernel(correlation, at + 10.5, at + 10.5 + second_duration, 7, "second");
}

TEST(ImporterGraphs, OfTheSameNodesAreOneIdentityWithDurationsOfTheirOwn) {
  RecordingMaker maker;
  launch_graph(maker, 1, 0, 5);
  launch_graph(maker, 2, 50, 6);
  maker.call("cudaGraphLaunch", 100, 105, 3);
  maker.kernel(3, 108, 110, 7, "first");
  const recorded::Import import = import_made(maker);
  ASSERT_EQ(import.program.graphs.size(), 3U);
  EXPECT_EQ(import.graph_identity, (std::vector<std::uint32_t>{0, 0, 2}));
  EXPECT_EQ(import.program.graphs[1].name, "graph 0");
  EXPECT_EQ(import.program.graphs[2].name, "graph 1");
  EXPECT_EQ(time_in(import.program.graphs[1].nodes[1]), 6_us);
  EXPECT_EQ(import.rows[3].node, 1U);
  EXPECT_EQ(*index_in(calls(import)[import.rows[3].call]), 1U);
  expect_exact(import);
}

TEST(ImporterGraphs, AddTheLongerGapsOfAMemsetToItsWork) {
  RecordingMaker maker;
  maker.call("cudaGraphLaunch", 0, 5, 1);
  maker.kernel(1, 8, 10);
  maker.memset(1, 11, 13);  // 1 us after a kernel, 0.5 more than a kernel would be
  maker.kernel(1, 15, 18);  // 2 us after the fill, 1.5 more
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(time_in(import.program.graphs[0].nodes[1]), 4_us);  // 0.5 + 2 + 1.5
  EXPECT_EQ(import.rows[1].lead, 500_ns);
  expect_exact(import);
}

TEST(ImporterCommands, OfOneCallAreSubmittedTogether) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernel", 0, 5, 1);
  maker.kernel(1, 7, 10);
  maker.kernel(1, 11, 15);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(kinds(import), (Kinds{program::CallKind::kMarker, program::CallKind::kLaunchKernel,
                                  program::CallKind::kLaunchKernel}));
  EXPECT_EQ(calls(import)[2].cost, 0_us);
  expect_exact(import);
}

TEST(ImporterCommands, ThatOverlapAreProgrammaticLaunchesAndKeepTheirEnd) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 20, 7);
  maker.call("cudaLaunchKernelExC", 6, 11, 2);
  maker.kernel(2, 18.5, 30);
  const recorded::Import import = import_made(maker);
  const program::Call& second = calls(import).back();
  EXPECT_TRUE(is_programmatic(second));
  EXPECT_EQ(time_in(second), 10_us);  // what was left of it when the first ended at 20
  EXPECT_EQ(import.anomalies.at("programmatic dependent launches"), 1U);
  expect_exact(import);
}

TEST(ImporterCommands, ThatStartSoonAfterAnOrdinaryLaunchAreNotProgrammatic) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 20, 7);
  launch(maker, 2, 6, 20.3, 30, 7);  // 0.3 us is less than half a gap
  EXPECT_FALSE(is_programmatic(calls(import_made(maker)).back()));
}

TEST(ImporterCommands, ThatWaitedForRoomBesideAnotherStreamAreHeld) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 20, 7);
  launch(maker, 2, 6, 13, 40, 8);
  launch(maker, 3, 12, 23, 30, 7);  // ready at 21, stream 8 busy
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(hold_before_last(import).duration, 2_us);
  EXPECT_EQ(hold_before_last(import).reason, program::HoldReason::kSmResources);
  EXPECT_EQ(time_in(calls(import).back()), 7_us);
  EXPECT_EQ(import.anomalies.at("starts delayed while another stream was busy"), 1U);
  expect_exact(import);
}

TEST(ImporterCommands, ThatStartLateForNoReasonAreCountedAboveFiveMicroseconds) {
  RecordingMaker maker;
  launch(maker, 1, 0, 12, 20, 7);     // ready at 7: exactly 5 us late
  launch(maker, 2, 30, 42.5, 50, 7);  // ready at 37
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.anomalies.at("starts delayed for an unknown reason"), 1U);
  EXPECT_EQ(hold_before_last(import).duration, from_us(5.5));
  EXPECT_EQ(hold_before_last(import).reason, program::HoldReason::kUnknown);
  EXPECT_EQ(time_in(calls(import).back()), from_us(7.5));
}

TEST(ImporterCommands, ThatStartLateOnAnIdleStreamWaitForEarlierWork) {
  RecordingMaker maker;
  launch(maker, 1, 0, 57, 60, 7);  // ready at 7
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(hold_before_last(import).duration, 50_us);
  EXPECT_EQ(hold_before_last(import).reason, program::HoldReason::kEarlierWork);
  EXPECT_EQ(time_in(calls(import).back()), 3_us);
  expect_exact(import);
}

TEST(ImporterCommands, ThatStartLateAfterAnUnknownStreamWaitWaitForItsEvent) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 20, 7);
  maker.call("cudaStreamWaitEvent", 25, 26, 2);
  launch(maker, 3, 30, 87, 90, 7);  // ready at 37
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(hold_before_last(import).duration, 50_us);
  EXPECT_EQ(hold_before_last(import).reason, program::HoldReason::kUnknownEvent);
  expect_exact(import);
}

TEST(ImporterCommands, OfPageableMemoryWaitForTheirStreamInsideTheirCall) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 1000, 7);
  maker.call("cudaMemcpyAsync", 10, 1016, 2);
  maker.copy(2, 1001, 1004, "Memcpy DtoH (Device -> Pageable)");
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(calls(import).back().cost, 5_us) << "not the time until the kernel had ended";
  EXPECT_TRUE(is_blocking(calls(import).back()));
}

TEST(ImporterCommands, OfRocmAreCutWhereTheyRunOverTheNext) {
  RecordingMaker maker;
  maker.from_rocm();
  launch(maker, 1, 0, 7, 30, 7);
  launch(maker, 2, 6, 20, 25, 7);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.rows[0].duration, 13_us);
  EXPECT_EQ(import.rows[1].duration, 5_us);
  EXPECT_EQ(
      import.anomalies.at("durations cut where they ran over the next command of their stream"),
      1U);
}

TEST(ImporterOrphans, AreLaunchedBeforeTheRecordingInOneGo) {
  RecordingMaker maker;
  maker.kernel(90, 0, 10);
  maker.kernel(91, 11, 20);
  maker.kernel(92, 21, 30);
  maker.call("cudaDeviceSynchronize", 5, 35, 1);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.program.threads[0].name, "before the recording");
  EXPECT_EQ(kinds(import),
            (Kinds{program::CallKind::kLaunchKernel, program::CallKind::kLaunchKernel,
                   program::CallKind::kLaunchKernel}));
  EXPECT_EQ(import.anomalies.at("GPU work without its launch call"), 3U);
  // All start 2 us late, the launch latency, and so does the return of the synchronisation.
  const Replayed replayed = replay(import);
  EXPECT_EQ(replayed.starts[2], Instant{} + 23_us);
  EXPECT_EQ(replayed.total, 37_us);
}

TEST(ImporterOrphans, AfterAPauseComeWhenTheyDid) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 10, 7);
  maker.kernel(recorded::kNoCorrelation, 90, 95, 8);
  maker.kernel(recorded::kNoCorrelation, 200, 210, 8);
  const recorded::Import import = import_made(maker);
  // A pause of 105 us; launched a latency of 2 us before the start.
  EXPECT_EQ(kinds(import), (Kinds{program::CallKind::kHostWork, program::CallKind::kLaunchKernel,
                                  program::CallKind::kHostWork, program::CallKind::kLaunchKernel}));
  EXPECT_EQ(time_in(calls(import)[0]), 88_us);
  EXPECT_EQ(time_in(calls(import)[2]), 110_us);
  EXPECT_EQ(import.anomalies.at("GPU work without its launch call"), 2U);
  expect_exact(import);
}

TEST(ImporterOrphans, StayBeforeLaterLaunchesOfTheirStream) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernel", 0, 5, 1);
  maker.kernel(9, 50, 60);  // no call in the recording
  maker.kernel(1, 61, 70);  // launched at 0, so the orphan had been launched before
  const recorded::Import import = import_made(maker);
  expect_exact(import);
}

TEST(ImporterShapes, OfHipComeFromTheCall) {
  RecordingMaker maker;
  maker.call("hipLaunchKernel", 0, 5, 1);
  maker.kernel(1, 7, 10);
  recorded::RecordedTrace trace = maker.make();
  recorded::LaunchActivity on_call;
  on_call.shape.grid = {3, 2, 1};
  std::get<recorded::KernelActivity>(trace.activities[0]).shape.grid = {0, 0, 0};
  trace.activities.push_back(on_call);
  trace.events[0].activity = 1;
  EXPECT_EQ(import_recording(trace).program.kernels[0].shape.blocks(), 6U);
}

TEST(ImporterThreads, HandWorkOverWhereOneFallsIdleAndAnotherResumes) {
  RecordingMaker maker(2);
  launch(maker, 1, 0, 7, 10, 7, 0);  // forward
  maker.cpu_op(0, 20, 0);
  maker.cpu_op(100, 200, 1);  // backward, 80 us after the forward pass ended
  launch(maker, 2, 110, 117, 120, 7, 1);
  maker.cpu_op(300, 400, 0);  // optimizer
  launch(maker, 3, 310, 317, 320, 7, 0);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.program.signals, 2U);
  EXPECT_EQ(kinds(import, 0), (Kinds{program::CallKind::kMarker, program::CallKind::kLaunchKernel,
                                     program::CallKind::kPost, program::CallKind::kAwait,
                                     program::CallKind::kHostWork, program::CallKind::kHostWork,
                                     program::CallKind::kLaunchKernel}));
  EXPECT_EQ(kinds(import, 1), (Kinds{program::CallKind::kAwait, program::CallKind::kHostWork,
                                     program::CallKind::kHostWork, program::CallKind::kLaunchKernel,
                                     program::CallKind::kPost}));
  // From the post at 5 to the operator at 100 and the launch at 110; from 115 to 300 and 310.
  EXPECT_EQ(host_time(import, 1), 105_us);
  EXPECT_EQ(host_time(import, 0), 195_us);
  expect_exact(import);
}

TEST(ImporterThreads, ThatWorkAtTheSameTimeHandNothingOver) {
  RecordingMaker maker(2);
  maker.cpu_op(0, 400, 0);
  launch(maker, 1, 0, 7, 10, 7, 0);
  launch(maker, 2, 390, 397, 399, 7, 0);
  maker.cpu_op(100, 200, 1);
  launch(maker, 3, 110, 117, 120, 8, 1);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.program.signals, 0U);
  expect_exact(import);
}

TEST(ImporterThreads, ThatOnlyPollHandNothingOver) {
  RecordingMaker maker(2);
  launch(maker, 1, 0, 7, 10, 7, 0);
  maker.call("cudaEventQuery", 100, 101, 0, 1);
  launch(maker, 2, 200, 207, 210, 7, 0);
  EXPECT_EQ(import_made(maker).program.signals, 0U);
}

TEST(ImporterThreads, OfNestedCallsCostWhatTheOuterCallTook) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernelExC", 0, 10, 1);
  maker.call("cuLaunchKernelEx", 2, 6, 2);
  maker.kernel(2, 8, 20);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(kinds(import), (Kinds{program::CallKind::kApi, program::CallKind::kMarker,
                                  program::CallKind::kLaunchKernel, program::CallKind::kApi}));
  EXPECT_EQ(calls(import)[0].cost + calls(import)[2].cost + calls(import)[3].cost, 10_us);
  EXPECT_EQ(import.anomalies.at("launch calls without GPU work"), 1U);
  expect_exact(import);
}

TEST(ImporterDevices, AreNumberedFromZeroWhateverTheirIds) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 10, 7);
  launch(maker, 2, 6, 13, 20, 7);
  recorded::RecordedTrace trace = maker.make();
  for (recorded::RecordedEvent& event : trace.events) {
    if (is_gpu_work(event.kind)) event.device = event.correlation == 1 ? 9 : 3;
  }
  const recorded::Import import = import_recording(trace);
  EXPECT_EQ(import.program.devices, 2U);
  EXPECT_EQ(import.rows[0].device, 1U);
  EXPECT_EQ(import.rows[1].device, 0U);
  EXPECT_EQ(import.program.streams[0].name, "device 3 stream 7");
}

}  // namespace
}  // namespace septet::test
