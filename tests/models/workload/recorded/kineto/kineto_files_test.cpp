// Real recordings of many profilers and GPUs, against figures that another program counted.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/workload/recorded/recorded_reader.hpp"
#include "tests/models/workload/recorded/kineto/expected_recordings.hpp"
#include "tests/models/workload/recorded/recording/recorded_summary.hpp"

namespace septet::test {
namespace {

void compare_kernels(const recorded::RecordedTrace& trace, const ExpectedRecording& expected) {
  std::int64_t kernel_time = 0;
  std::uint64_t blocks = 0;
  std::uint64_t zero = 0;
  for (const recorded::RecordedEvent& event : trace.events) {
    if (event.kind != recorded::RecordedKind::kKernel) continue;
    kernel_time += event.duration.count();
    blocks += trace.activity<recorded::KernelActivity>(event)->shape.blocks();
    if (event.duration.count() == 0) ++zero;
  }
  EXPECT_EQ(kernel_time, expected.kernel_time);
  EXPECT_EQ(blocks, expected.blocks);
  EXPECT_EQ(zero, expected.zero_kernels);
}

void compare(const std::filesystem::path& path, const ExpectedRecording& expected) {
  SCOPED_TRACE(path.string());
  const recorded::RecordedTrace trace = recorded::read_recorded(path.string());
  EXPECT_EQ(trace.entries, expected.entries);
  for (std::size_t kind = 0; kind < expected.counts.size(); ++kind) {
    EXPECT_EQ(count_of(trace, static_cast<recorded::RecordedKind>(kind)), expected.counts[kind])
        << kind;
  }
  EXPECT_EQ(streams_with_work(trace), expected.streams);
  EXPECT_EQ(span_of(trace).count(), expected.span);
  EXPECT_EQ(trace.origin_ns, expected.origin_ns);
  EXPECT_EQ(trace.rank, expected.rank);
  EXPECT_EQ(trace.world_size, expected.world_size);
  EXPECT_EQ(trace.cut_at_byte, -1);
  compare_kernels(trace, expected);
}

void compare_all(const std::filesystem::path& folder, const std::vector<ExpectedRecording>& files) {
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  for (const ExpectedRecording& expected : files) compare(folder / expected.file, expected);
}

TEST(KinetoFiles, OfManyProfilersHaveWhatPythonCountsInThem) {
  const char* inputs = std::getenv("SEPTET_INPUTS");
  const std::filesystem::path folder =
      inputs != nullptr ? std::filesystem::path(inputs)
                        : std::filesystem::path(SEPTET_SOURCE_DIR) / "../shared/inputs";
  compare_all(folder / "kineto", kInputRecordings);
}

TEST(KinetoFiles, OfOurMeasurementsHaveWhatPythonCountsInThem) {
  compare_all(std::filesystem::path(SEPTET_SOURCE_DIR) / "data/measurements/h200/traces",
              kMeasuredRecordings);
}

}  // namespace
}  // namespace septet::test
