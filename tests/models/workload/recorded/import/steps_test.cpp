#include "models/workload/recorded/import/steps.hpp"

#include <gtest/gtest.h>

#include "tests/models/workload/recorded/recording/recording_maker.hpp"

namespace septet::test {
namespace {

// `count` launches of kernels named by their position in a period of `period`.
void launch_all(RecordingMaker& maker, int count, int period) {
  for (int k = 0; k < count; ++k) {
    const auto correlation = static_cast<std::uint64_t>(k + 1);
    const double at = 10.0 * k;
    maker.call("cudaLaunchKernel", at, at + 5, correlation);
    maker.kernel(correlation, at + 7, at + 9, 7, "kernel " + std::to_string(k % period));
  }
}

std::vector<std::string> names(const std::vector<recorded::Step>& steps) {
  std::vector<std::string> found;
  for (const recorded::Step& step : steps) found.push_back(step.name);
  return found;
}

std::vector<recorded::Step> steps_of(RecordingMaker& maker) {
  const recorded::RecordedTrace trace = maker.make();
  return find_steps(trace, index_recording(trace));
}

TEST(Steps, AreTheSmallestPeriodOfTheLaunches) {
  RecordingMaker maker;
  launch_all(maker, 24, 8);
  const std::vector<recorded::Step> steps = steps_of(maker);
  ASSERT_EQ(names(steps), (std::vector<std::string>{"step 0", "step 1", "step 2"}));
  EXPECT_EQ(steps[1].begin, Instant{} + 80_us);  // the ninth launch
  EXPECT_EQ(steps[2].call, 16U);
}

TEST(Steps, ShorterThanEightCommandsAreNone) {
  RecordingMaker maker;
  launch_all(maker, 21, 7);
  EXPECT_EQ(names(steps_of(maker)), (std::vector<std::string>{"step 0"}));
}

TEST(Steps, MustRepeatTwice) {
  RecordingMaker maker;
  launch_all(maker, 15, 8);
  EXPECT_EQ(steps_of(maker).size(), 1U);
  RecordingMaker twice;
  launch_all(twice, 16, 8);
  EXPECT_EQ(steps_of(twice).size(), 2U);
}

TEST(Steps, FollowTheProfilersAnnotations) {
  RecordingMaker maker;
  launch_all(maker, 24, 8);
  maker.annotation("ProfilerStep#5", 0, 101);
  maker.annotation("ProfilerStep#6", 101, 240);
  const std::vector<recorded::Step> steps = steps_of(maker);
  ASSERT_EQ(names(steps), (std::vector<std::string>{"ProfilerStep#5", "ProfilerStep#6"}));
  EXPECT_EQ(steps[1].begin, Instant{} + 101_us);
  EXPECT_EQ(steps[1].call, 11U);  // the launch at 110 us
  EXPECT_EQ(steps[1].marked, Instant{} + 110_us);
  EXPECT_EQ(step_at(steps, Instant{} + 100_us), 0U);
  EXPECT_EQ(step_at(steps, Instant{} + 101_us), 1U);
}

}  // namespace
}  // namespace septet::test
