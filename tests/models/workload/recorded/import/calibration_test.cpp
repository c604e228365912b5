#include "models/workload/recorded/import/calibration.hpp"

#include <gtest/gtest.h>

#include "models/workload/recorded/import/importer.hpp"
#include "tests/models/workload/recorded/recording/recording_maker.hpp"

namespace septet::test {
namespace {

recorded::RecordedLatencies measure(RecordingMaker& maker) {
  return import_recording(maker.make()).latencies;
}

TEST(Calibration, TakesTheMedianFromTheEndOfTheCallToTheStartOnAnIdleStream) {
  RecordingMaker maker;
  // Latencies 1, 2 and 7 us: the median is 2. The calls' own times do not matter.
  maker.call("cudaLaunchKernel", 0, 5, 1);
  maker.kernel(1, 6, 8);
  maker.call("cudaLaunchKernel", 20, 60, 2);
  maker.kernel(2, 62, 64);
  maker.call("cudaLaunchKernel", 100, 101, 3);
  maker.kernel(3, 108, 110);
  const recorded::RecordedLatencies found = measure(maker);
  EXPECT_EQ(found.launch.value, 2_us);
  EXPECT_EQ(found.launch.samples, 3U);
  EXPECT_EQ(found.memset.value, 2_us)
      << "without samples of its own a memset is launched as a kernel";
}

TEST(Calibration, TakesTheMeanGapOfQueuedCommands) {
  RecordingMaker maker;
  for (std::uint64_t c = 1; c <= 5; ++c) {
    const auto begin = static_cast<double>(c);
    maker.call("cudaLaunchKernel", begin - 1, begin, c);
  }
  // Gaps 1, 1, 2 and 9 us; the last is above four times the lower quartile (1 us), so the mean is
  // (1 + 1 + 2) / 3 us.
  maker.kernel(1, 6, 20);
  maker.kernel(2, 21, 30);
  maker.kernel(3, 31, 40);
  maker.kernel(4, 42, 50);
  maker.kernel(5, 59, 60);
  const recorded::RecordedLatencies found = measure(maker);
  EXPECT_EQ(found.stream_gap.value, Duration(4'000'000 / 3));
  EXPECT_EQ(found.stream_gap.samples, 4U);
}

TEST(Calibration, DoesNotCountAGapInWhichAnotherStreamWasBusy) {
  RecordingMaker maker;
  for (std::uint64_t c = 1; c <= 5; ++c) {
    const auto begin = static_cast<double>(c);
    maker.call("cudaLaunchKernel", begin - 1, begin, c);
  }
  maker.kernel(5, 8, 45, 8);
  maker.kernel(1, 9, 20);
  maker.kernel(2, 21, 30);
  maker.kernel(3, 31, 40);
  maker.kernel(4, 41, 50);
  EXPECT_EQ(measure(maker).stream_gap.samples, 0U);
}

TEST(Calibration, SeparatesTheGapsOfKernelAndMemoryNodes) {
  RecordingMaker maker;
  maker.call("cudaGraphLaunch", 0, 5, 1);
  double end = 7;
  for (int round = 0; round < 3; ++round) {
    maker.kernel(1, end + 0.5, end + 3);  // after a kernel or, from the second round, a kernel
    maker.kernel(1, end + 3.5, end + 6);  // 0.5 us after a kernel
    maker.memset(1, end + 7, end + 8);    // 1 us after a kernel
    maker.kernel(1, end + 10, end + 12);  // 2 us after a fill
    end += 12;
  }
  const recorded::RecordedLatencies found = measure(maker);
  EXPECT_EQ(found.node_gap.value, 500_ns);
  EXPECT_EQ(found.node_gap.samples, 5U);  // the very first kernel is a root
  EXPECT_EQ(found.node_gap_to_memory.value, 1_us);
  EXPECT_EQ(found.node_gap_from_memory.value, 2_us);
}

TEST(Calibration, TakesTheMedianFromTheEndOfTheWorkToTheReturnOfTheWait) {
  RecordingMaker maker;
  for (std::uint64_t c = 1; c <= 3; ++c) {
    const double at = 100.0 * static_cast<double>(c);
    maker.call("cudaLaunchKernel", at, at + 5, c);
    maker.kernel(c, at + 7, at + 50);
    maker.call("cudaDeviceSynchronize", at + 6, at + 50 + static_cast<double>(c), 10 + c);
  }
  const recorded::RecordedLatencies found = measure(maker);  // 1, 2, 3 us
  EXPECT_EQ(found.wake.value, 2_us);
  EXPECT_EQ(found.wake.samples, 3U);
}

TEST(Calibration, FallsBackOnOurRecordingsBelowThreeSamples) {
  RecordingMaker maker;
  maker.call("cudaLaunchKernel", 0, 5, 1);
  maker.kernel(1, 55, 60);
  const recorded::RecordedLatencies found = measure(maker);
  EXPECT_EQ(found.launch.value, recorded::h200_latencies().launch.value);
  EXPECT_EQ(found.launch.samples, 1U);
}

}  // namespace
}  // namespace septet::test
