// Rules of the importer for commands, streams and waits, each on a recording made by hand.
#include "models/workload/recorded/import/importer.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/workload/recorded/import/import_fixture.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

TEST(Importer, MakesHostWorkOfTheTimeBetweenCalls) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernel", 100, 105, 1);
  maker.kernel(1, 107, 117);
  maker.call("cudaLaunchKernel", 130, 136, 2);
  maker.kernel(2, 138, 148);
  const recorded::Import import = import_made(maker);
  // Time counts from the first call: no work before it; 25 us from 105 to 130.
  EXPECT_EQ(kinds(import), (Kinds{program::CallKind::kMarker, program::CallKind::kLaunchKernel,
                                  program::CallKind::kHostWork, program::CallKind::kLaunchKernel}));
  EXPECT_EQ(calls(import)[1].cost, 5_us);
  EXPECT_EQ(time_in(calls(import)[1]), 10_us);
  EXPECT_EQ(time_in(calls(import)[2]), 25_us);
  EXPECT_EQ(import.measured, 48_us);
  EXPECT_EQ(import.program.kernels.size(), 1U);
}

TEST(Importer, RefusesARecordingWithoutGpuWork) {
  RecordingMaker maker;
  maker.call("cudaMalloc", 0, 5, 1);
  try {
    import_made(maker);
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "made.json: no GPU work in this recording");
  }
}

TEST(Importer, SplitsASynchronisationIntoItsCostAndTheWait) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernel", 0, 5, 1);
  maker.kernel(1, 7, 107);
  maker.call("cudaDeviceSynchronize", 6, 112, 2);
  maker.call("cudaDeviceSynchronize", 120, 123, 3);  // nothing to wait for: costs 3 us
  maker.call("cudaLaunchKernel", 130, 135, 4);
  maker.kernel(4, 137, 140);
  const recorded::Import import = import_made(maker);
  const program::Call& wait = calls(import)[3];
  EXPECT_EQ(wait.kind(), program::CallKind::kSynchronizeDevice);
  EXPECT_EQ(wait.cost, 3_us);
  // Returns at 107 + 5 = 112 us, as recorded, so the next work is 120 - 112 us.
  EXPECT_EQ(time_in(calls(import)[4]), 8_us);
}

TEST(Importer, LetsTheNextGapAbsorbWhatAWaitTookMoreThanUsual) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernel", 0, 5, 1);
  maker.kernel(1, 7, 107);
  maker.call("cudaDeviceSynchronize", 6, 119, 2);  // 12 us after the work; the latency is 5 us
  maker.call("cudaLaunchKernel", 130, 135, 4);
  maker.kernel(4, 137, 140);
  EXPECT_EQ(time_in(calls(import_made(maker))[4]), 18_us);  // from 112 to 130 us
}

TEST(Importer, SynchronisesTheStreamThatTheRecordNames) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 100, 8);
  launch(maker, 2, 10, 17, 60, 7);
  maker.call("cudaStreamSynchronize", 20, 65, 3);
  maker.sync(3, 7);
  const recorded::Import import = import_made(maker);
  const program::Call& wait = calls(import).back();
  EXPECT_EQ(wait.kind(), program::CallKind::kSynchronizeStream);
  EXPECT_EQ(import.program.streams[wait.stream].name, "stream 7");
}

TEST(Importer, SynchronisesTheStreamWhoseWorkEndedInsideTheCallWithoutARecord) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 100, 8);
  launch(maker, 2, 10, 17, 60, 7);
  maker.call("cudaStreamSynchronize", 20, 105, 3);  // both ended inside; stream 8 did last
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.program.streams[calls(import).back().stream].name, "stream 8");
}

TEST(Importer, ConnectsAnEventRecordWithTheStreamThatWaitsForIt) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 100, 7);
  maker.call("cudaEventRecord", 6, 8, 2);
  maker.call("cudaStreamWaitEvent", 9, 10, 3);
  maker.sync(3, 8, 2, 7);
  launch(maker, 4, 11, 101, 150, 8);
  const recorded::Import import = import_made(maker);
  const program::Call& record = only(import, program::CallKind::kRecordEvent);
  const program::Call& wait = only(import, program::CallKind::kWaitEvent);
  EXPECT_EQ(*index_in(record), *index_in(wait));
  EXPECT_EQ(import.program.streams[record.stream].name, "stream 7");
  EXPECT_EQ(import.program.streams[wait.stream].name, "stream 8");
  EXPECT_EQ(import.rows[1].lead, 0_us) << "the wait explains the late start";
  expect_exact(import);
}

TEST(Importer, InfersAWaitFromALateStartWhereThereIsNoRecord) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 100, 7);
  maker.call("cudaEventRecord", 6, 8, 2);
  maker.call("cudaStreamWaitEvent", 9, 10, 3);
  launch(maker, 4, 11, 101, 150, 8);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.program.streams[only(import, program::CallKind::kWaitEvent).stream].name,
            "stream 8");
  EXPECT_EQ(import.anomalies.at("stream waits inferred from times"), 1U);
  EXPECT_FALSE(import.anomalies.contains("stream waits whose stream or event is unknown"));
  expect_exact(import);
}

TEST(Importer, CountsAWaitThatNothingShows) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 20, 7);
  maker.call("cudaEventRecord", 6, 8, 2);
  maker.call("cudaStreamWaitEvent", 29, 30, 3);
  launch(maker, 4, 31, 38, 50, 8);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(import.anomalies.at("stream waits whose stream or event is unknown"), 1U);
  EXPECT_EQ(import.program.events, 0U);
}

TEST(Importer, WaitsForTheEventThatTheCpuWaitedFor) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 50, 7);
  maker.call("cudaEventRecord", 6, 8, 2);
  launch(maker, 3, 9, 51, 150, 7);
  maker.call("cudaEventSynchronize", 15, 55, 4);
  maker.sync(4, recorded::kNoStream, 2, 7);
  const recorded::Import import = import_made(maker);
  EXPECT_EQ(event_in(only(import, program::CallKind::kSynchronizeEvent)),
            event_in(only(import, program::CallKind::kRecordEvent)));
  EXPECT_EQ(replay(import).total, import.measured);  // 150 us, not held up by the second kernel
}

TEST(Importer, BlocksOnACopyThatWasDoneWhenItsCallReturned) {
  RecordingMaker maker;
  maker.call("cudaMemcpyAsync", 0, 40, 1);
  maker.copy(1, 10, 35, "Memcpy DtoH (Device -> Pageable)");
  maker.call("cudaMemcpyAsync", 50, 55, 2);
  maker.copy(2, 57, 80, "Memcpy DtoH (Device -> Pinned)");
  const recorded::Import import = import_made(maker);
  const program::Copy& pageable = program::as<program::Copy>(calls(import)[1]);
  EXPECT_EQ(pageable.direction, program::CopyDirection::kDeviceToHost);
  EXPECT_FALSE(pageable.pinned);
  EXPECT_TRUE(pageable.blocking);
  EXPECT_EQ(calls(import)[1].cost, 8_us);  // it starts a latency of 2 us later, at 10
  EXPECT_EQ(pageable.bytes, Bytes(4096));
  EXPECT_FALSE(is_blocking(calls(import).back()));
  EXPECT_TRUE(program::as<program::Copy>(calls(import).back()).pinned);
}

TEST(Importer, SubmitsBeforeTheEndOfACallWhoseCommandStartedInsideIt) {
  RecordingMaker maker;
  maker.call("cudaGraphLaunch", 0, 100, 1);
  maker.kernel(1, 43, 50);
  maker.kernel(1, 50.5, 60);
  const recorded::Import import = import_made(maker);
  // The graph latency is 3 us: submitted at 40, the call goes on for 60 us.
  EXPECT_EQ(kinds(import), (Kinds{program::CallKind::kMarker, program::CallKind::kLaunchGraph,
                                  program::CallKind::kApi}));
  EXPECT_EQ(calls(import)[1].cost, 40_us);
  EXPECT_EQ(calls(import)[2].cost, 60_us);
  expect_exact(import);
}

TEST(Importer, GivesALaunchThatWaitedForAPlaceInTheRingItsUsualCost) {
  RecordingMaker maker;
  constexpr int kLaunches = 40;  // the ring holds 32
  for (int k = 0; k < kLaunches; ++k) {
    const auto correlation = static_cast<std::uint64_t>(k + 1);
    // Kernels of 99 us, 1 us apart: kernel k ends at 106 + 100 k. Launch 32 (at 160) finds a place,
    // since kernel 0 has ended; launch 33 waits for the end of kernel 1, and so on.
    const auto end = [](int launch) {
      return launch <= 32 ? 5.0 * (launch + 1) : 100.0 * launch - 3093;
    };
    maker.call("cudaLaunchKernel", k == 0 ? 0 : end(k - 1), end(k), correlation);
    maker.kernel(correlation, 7 + 100.0 * k, 106 + 100.0 * k);
  }
  const recorded::Import import = import_made(maker, 32);
  EXPECT_EQ(import.anomalies.at("launches that waited for space in the ring buffer"), 7U);
  EXPECT_EQ(calls(import).back().cost, 5_us);
}

TEST(Importer, LetsAReplayFollowAFasterGpu) {
  RecordingMaker maker;
  launch(maker, 1, 0, 7, 107, 7);
  launch(maker, 2, 5, 108, 208, 7);
  launch(maker, 3, 10, 209, 309, 7);
  maker.call("cudaDeviceSynchronize", 15, 314, 4);
  recorded::Import import = import_made(maker);
  expect_exact(import);
  for (program::Call& call : import.program.threads[0].calls) {
    if (call.kind() == program::CallKind::kLaunchKernel) time_in(call) = time_in(call) / 2;
  }
  // 7 to 57, 58 to 108, 109 to 159 us; the CPU wakes 5 us later.
  EXPECT_EQ(replay(import).total, 164_us);
}

}  // namespace
}  // namespace septet::test
