#include "scenarios/replay/step_times.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

recorded::Import steps_at(const std::vector<Duration>& begins, Duration end) {
  recorded::Import import;
  for (std::size_t s = 0; s < begins.size(); ++s) {
    import.steps.push_back({"step " + std::to_string(s), Instant() + begins[s], kNone, {}});
  }
  import.measured = end;
  return import;
}

void add_work(recorded::Import& import, std::uint32_t step, Duration duration) {
  recorded::RecordedRow row;
  row.step = step;
  row.duration = duration;
  import.rows.push_back(row);
}

TEST(StepTimes, SayWhatTheSlowestStepHasMoreOf) {
  recorded::Import import = steps_at({0_us, 100_us, 260_us}, 360_us);
  for (std::uint32_t step = 0; step < 3; ++step) add_work(import, step, 50_us);
  add_work(import, 1, 20_us);
  const replay::StepTimes times = replay::step_times(import);
  EXPECT_EQ(times.steps, 3U);
  EXPECT_EQ(times.mean, 120_us);
  EXPECT_EQ(times.least, 100_us);
  EXPECT_EQ(times.most, 160_us);
  EXPECT_EQ(times.slowest, "step 1");
  EXPECT_EQ(times.more_work, 20_us);  // 70, the median is 50
  EXPECT_EQ(times.more_idle, 40_us);  // 160 - 100 - 20
}

TEST(StepTimes, OfOneStepSayNothing) {
  EXPECT_EQ(replay::step_times(steps_at({0_us}, 10_us)).steps, 0U);
}

}  // namespace
}  // namespace septet::test
