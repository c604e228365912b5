#include "scenarios/analysis/run_rows.hpp"

#include <gtest/gtest.h>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

TEST(RunRows, HoldKernelsAndCopiesByStartAndCallsByThread) {
  system::SystemSpec system = round_system();
  system.gpu.copy.host_to_device = 1_GBps;
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(3, 32, 10_us));
  builder.stream();
  builder.stream();
  builder.thread();
  builder.work(1_us);
  builder.launch(0, 0);
  builder.thread();
  builder.copy(1, program::CopyDirection::kHostToDevice, Bytes(2000));
  builder.launch(0, 1);
  const analysis::RunRows rows = TimedRun(builder.take(), system).rows();
  ASSERT_EQ(rows.works.size(), 3U);
  EXPECT_FALSE(rows.works[0].is_kernel);
  EXPECT_EQ(rows.works[0].size, 2000);
  EXPECT_EQ(rows.works[0].start - Instant(), 1_us);
  EXPECT_TRUE(rows.works[1].is_kernel);
  EXPECT_EQ(rows.works[1].size, 3);
  EXPECT_EQ(rows.works[1].thread, 1);
  EXPECT_EQ(rows.works[1].call, 1);
  EXPECT_EQ(rows.works[2].stream, 0);
  ASSERT_EQ(rows.calls.size(), 3U);
  EXPECT_EQ(rows.calls[0].thread, 0);
  EXPECT_EQ(rows.calls[1].thread, 1);
  EXPECT_EQ(rows.calls[2].start - Instant(), 0_us);
}

TEST(RunRows, SpanFromTheFirstCallToTheLastThingThatHappened) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.stream();
  builder.thread();
  builder.work(5_us);  // before the first call, and so no part of it
  builder.launch(0, 0);
  const analysis::RunRows rows = TimedRun(builder.take()).rows();
  EXPECT_EQ(rows.first - Instant(), 5_us);
  EXPECT_EQ(rows.last - Instant(), 22_us);
  EXPECT_EQ(rows.span(), 17_us);
}

TEST(RunRows, OfAnEmptyProgramAreEmpty) {
  program::ProgramBuilder builder;
  builder.thread();
  const analysis::RunRows rows = TimedRun(builder.take()).rows();
  EXPECT_TRUE(rows.works.empty());
  EXPECT_EQ(rows.span(), 0_us);
}

}  // namespace
}  // namespace septet::test
