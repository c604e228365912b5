// Which clock a case reads, on a system of round numbers: a launch costs 4 us, its kernel starts at
// 7, a waiting thread is back 2 us after the end.
#include "scenarios/validate/case_run.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

struct Maker : program::ProgramBuilder {
  Maker() {
    kernel(program::spin_kernel(1, 32, 10_us));
    stream();
    stream();
    event();
    event();
    thread();
  }
};

TEST(CaseRun, TheWallClockRunsFromTheFirstCallToTheEndOfTheLast) {
  Maker maker;
  maker.work(5_us);
  maker.launch(0, 0);
  maker.synchronize_device();
  EXPECT_EQ(validation::CaseRun(maker.take(), round_system()).wall(), 19_us);
}

TEST(CaseRun, TheClockOfAThreadIsThatOfItsCalls) {
  Maker maker;
  maker.launch(0, 0);
  maker.synchronize_device();
  maker.thread();
  maker.work(100_us);
  maker.launch(0, 1);
  const validation::CaseRun run(maker.take(), round_system());
  EXPECT_EQ(run.thread_wall(0), 19_us);
  EXPECT_EQ(run.thread_wall(1), 4_us);
}

TEST(CaseRun, IssuingEndsWithTheLastSubmission) {
  Maker maker;
  for (int l = 0; l < 3; ++l) maker.launch(0, 0);
  maker.record(0, 0);
  maker.synchronize_device();
  EXPECT_EQ(validation::CaseRun(maker.take(), round_system()).issue(), 12_us);
}

TEST(CaseRun, EventsAreReadByTheGpusClock) {
  Maker maker;
  maker.record(0, 0);  // recorded at 1
  maker.launch(0, 0);  // 7 to 17
  maker.record(1, 0);  // written behind the gap, at 18
  EXPECT_EQ(validation::CaseRun(maker.take(), round_system()).between_events(), 17_us);
}

TEST(CaseRun, TheLimiterIsWhatTookMostOfTheTime) {
  Maker maker;
  maker.launch(0, 0);
  maker.synchronize_device();
  EXPECT_EQ(validation::CaseRun(maker.take(), round_system()).limiter(), "gpu_busy");  // 10 of 19
  system::SystemSpec slow = round_system();
  slow.host.launch_cost = 40_us;
  Maker again;
  again.launch(0, 0);
  again.synchronize_device();
  EXPECT_EQ(validation::CaseRun(again.take(), slow).limiter(), "launch_bound");
}

TEST(MeasuredSpin, TakesALittleLongerThanAsked) {
  const program::Kernel kernel = validation::measured_spin({}, 20.0, 3, 64);
  EXPECT_EQ(kernel.shape.blocks(), 3U);
  EXPECT_EQ(kernel.shape.threads_per_block(), 64U);
  EXPECT_EQ(std::get<program::FixedBlockWork>(kernel.work).block_time, 20_us + 50_ns);  // x 1.0025
}

TEST(MeasuredSpin, OfAnImpossibleSizeIsAMistakeOfTheRow) {
  validation::MeasuredRow row;
  row.file = "rows.jsonl";
  row.line = 4;
  const std::string said = "rows.jsonl:4: a kernel without a size or with an impossible one";
  EXPECT_EQ(error_of<ConfigError>([&] { measured_spin(row, 1.0, 0, 32); }), said);
  EXPECT_EQ(error_of<ConfigError>([&] { measured_spin(row, 1.0, 1, 0); }), said);
  EXPECT_EQ(error_of<ConfigError>([&] { measured_spin(row, 1.0, 1, 1025); }), said);
  EXPECT_EQ(error_of<ConfigError>([&] { measured_spin(row, -1.0, 1, 32); }), said);
}

TEST(RowKernel, IsOneWarpUnlessTheRowSaysMore) {
  validation::MeasuredRow row;
  row.case_ = validation::case_of(nlohmann::ordered_json::object());
  EXPECT_EQ(row_kernel(row, 1.0).shape.blocks(), 1U);
  EXPECT_EQ(row_kernel(row, 1.0).shape.threads_per_block(), 32U);
  row.case_ = validation::case_of({{"blocks", 7}, {"threads", 256}});
  EXPECT_EQ(row_kernel(row, 1.0).shape.blocks(), 7U);
  EXPECT_EQ(row_kernel(row, 1.0).shape.threads_per_block(), 256U);
}

}  // namespace
}  // namespace septet::test
