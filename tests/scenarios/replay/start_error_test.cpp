#include "scenarios/replay/start_error.hpp"

#include <gtest/gtest.h>

#include "scenarios/replay/step_begins.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Command n is call n of thread 0; `recorded` and `replayed` are its starts.
struct Command {
  Duration recorded, replayed;
  std::uint32_t step = 0;
  Duration lead{};
};

recorded::Import recording_of(const std::vector<Command>& commands) {
  recorded::Import import;
  for (std::uint32_t n = 0; n < commands.size(); ++n) {
    recorded::RecordedRow row;
    row.call = n;
    row.step = commands[n].step;
    row.start = Instant() + commands[n].recorded;
    row.lead = commands[n].lead;
    import.rows.push_back(row);
  }
  return import;
}

analysis::RunRows replay_of(const std::vector<Command>& commands) {
  analysis::RunRows rows;
  for (std::size_t n = 0; n < commands.size(); ++n) {
    analysis::GpuWork work;
    work.call = static_cast<std::int64_t>(n);
    work.start = Instant() + commands[n].replayed;
    rows.works.push_back(work);
  }
  return rows;
}

replay::StartError error_in(const std::vector<Command>& commands) {
  return replay::start_error(recording_of(commands), replay_of(commands));
}

TEST(StartError, IsZeroForTheSameStarts) {
  const replay::StartError error = error_in({{7_us, 7_us}, {18_us, 18_us}});
  EXPECT_EQ(error.commands, 2U);
  EXPECT_EQ(error.median, 0_us);
  EXPECT_EQ(error.max, 0_us);
}

TEST(StartError, CountsBothWays) {
  // 0, 3 us late, 5 us early
  const replay::StartError error = error_in({{0_us, 0_us}, {10_us, 13_us}, {20_us, 15_us}});
  EXPECT_EQ(error.median, 3_us);
  EXPECT_EQ(error.max, 5_us);
}

TEST(StartError, CountsFromTheFirstCommandOfTheStep) {
  // The second step begins 100 us late and is right in itself but for its last command.
  const replay::StartError error = error_in(
      {{0_us, 0_us}, {10_us, 10_us}, {50_us, 150_us, 1}, {60_us, 160_us, 1}, {70_us, 172_us, 1}});
  EXPECT_EQ(error.median, 0_us);
  EXPECT_EQ(error.max, 2_us);
}

TEST(StartError, AddsWhatACommandBeganEarly) {
  const replay::StartError error = error_in({{0_us, 0_us}, {10_us, 7_us, 0, 3_us}});
  EXPECT_EQ(error.max, 0_us);
}

TEST(StartError, TellsTheNodesOfAGraphApart) {
  recorded::Import import = recording_of({{7_us, 0_us}, {18_us, 0_us}});
  for (std::uint32_t n = 0; n < 2; ++n) {
    import.rows[n].call = 0;
    import.rows[n].node = n;
  }
  analysis::RunRows rows = replay_of({{0_us, 18_us}, {0_us, 7_us}});
  for (analysis::GpuWork& work : rows.works) work.call = 0;
  rows.works[0].node = 1;
  rows.works[1].node = 0;
  EXPECT_EQ(replay::start_error(import, rows).max, 0_us);
}

TEST(StartError, OfARecordingWithoutCommandsIsNone) { EXPECT_EQ(error_in({}).commands, 0U); }

TEST(StepBegins, AreTheIssuesOfTheFirstCommandsInOrder) {
  recorded::Import import = recording_of({{}, {}, {}, {}});
  import.steps.resize(3);
  import.rows[0].step = 2;
  import.rows[1].step = 2;
  import.rows[2].step = 0;
  import.rows[3].step = 0;  // no command of step 1
  analysis::RunRows rows = replay_of({{}, {}, {}, {}});
  const Duration issued[] = {60_us, 50_us, 10_us, 20_us};
  for (std::size_t n = 0; n < 4; ++n) rows.works[n].issued = Instant() + issued[n];
  EXPECT_EQ(replay::step_begins(import, rows), (std::vector{Instant() + 10_us, Instant() + 50_us}));
}

}  // namespace
}  // namespace septet::test
