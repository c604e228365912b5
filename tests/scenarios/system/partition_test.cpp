// Kernels on partitions of the SMs: green contexts, and MPS clients with a share.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// The round system with 132 SMs of which contexts take multiples of 8 and clients multiples of 2.
system::SystemSpec large_system() {
  system::SystemSpec system = round_system();
  system.gpu.sm_count = 132;
  system.gpu.partition = {8, 8, 2};
  return system;
}

// What launches cost, from the call to the end of a kernel of no time: 4 launch, 1 doorbell, 2
// start; and back to the thread: 1 completion, 1 wake-up.
constexpr Duration kThereAndBack{9 * kPicosecondsPerMicrosecond};

// A kernel of 1,024 threads a block, two of which fill an SM, on each of two streams.
struct TwoKernels {
  program::ProgramBuilder builder;

  TwoKernels(std::uint64_t blocks, std::uint32_t first_context, std::uint32_t second_context) {
    builder.kernel(program::spin_kernel(blocks, 1024, 10_us));
    builder.stream(0, 0, 0, first_context);
    builder.stream(0, 0, 0, second_context);
    builder.thread();
    builder.launch(0, 0);
    builder.launch(0, 1);
    builder.synchronize_device();
  }
};

TEST(GreenContext, HalvesTheSmsAndDoublesTheWaves) {
  TwoKernels two(264, 0, 1);
  two.builder.context("a", 64);
  two.builder.context("b", 64);
  // 64 SMs hold 128 blocks: 264 blocks take three waves, on both halves at once. The second launch
  // comes 4 us after the first.
  EXPECT_EQ(span_of(two.builder.take(), large_system()), kThereAndBack + 4_us + 30_us);
}

TEST(GreenContext, KernelsOfOnePartitionDoNotWaitForRoomInAnother) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(128 * 20, 1024, 10_us));  // 20 waves of its 64 SMs
  builder.kernel(program::spin_kernel(16, 1024, 10_us));
  builder.context("a", 64);
  builder.context("b", 8);
  builder.stream(0, 0, 0, 0);
  builder.stream(0, 0, 0, 1);
  builder.thread();
  builder.launch(0, 0);
  builder.launch(1, 1);
  builder.synchronize_device();
  const system::ProgramRun run = run_program(builder.take(), large_system(), {});
  const analysis::RunRows rows = analysis::collect_rows(run.rows);
  ASSERT_EQ(rows.works.size(), 2U);
  EXPECT_EQ(rows.works[0].end - rows.works[0].start, 200_us);
  // 4 + 4 launches, 1 doorbell, 2 start; then one wave on its 8 SMs as if the other weren't there.
  EXPECT_EQ(rows.works[1].start, Instant() + 11_us);
  EXPECT_EQ(rows.works[1].end, Instant() + 21_us);
}

TEST(GreenContext, StreamsWithoutOneUseAllSms) {
  TwoKernels two(264, kNone, kNone);
  two.builder.context("a", 64);
  // 264 blocks fill 132 SMs; the second kernel starts when the first has ended, at 17 us.
  EXPECT_EQ(span_of(two.builder.take(), large_system()), kThereAndBack + 20_us);
}

TEST(GreenContext, ThatTheGpuCannotMakeIsRefused) {
  for (const std::uint32_t sms : {4U, 12U, 136U}) {
    TwoKernels two(1, 0, kNone);
    two.builder.context("a", sms);
    const program::Program program = two.builder.take();
    EXPECT_THROW(system::System(program, large_system()), ModelError) << sms;
  }
}

program::Program two_clients(std::uint64_t blocks) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(blocks, 1024, 10_us));
  for (std::uint32_t process = 0; process < 2; ++process) {
    builder.stream(0, process);
    builder.thread(process);
    builder.launch(0, process);
    builder.synchronize_device();
  }
  return builder.take();
}

TEST(MpsShare, OfHalfTheSmsRunsTwoClientsSideBySide) {
  system::SystemSpec system = large_system();
  system.mps = true;
  // All SMs for both: 264 blocks fill the GPU, so one client's kernel follows the other's.
  EXPECT_EQ(span_of(two_clients(264), system), kThereAndBack + 20_us);
  // 66 SMs each hold 132 blocks: two waves, both clients at once.
  system.sm_shares = {0.5, 0.5};
  EXPECT_EQ(span_of(two_clients(264), system), kThereAndBack + 20_us);
  EXPECT_EQ(span_of(two_clients(132), system), kThereAndBack + 10_us);
  // A quarter of 132 is 33 SMs, rounded up to 34, which hold 68 blocks: 132 take two waves.
  system.sm_shares = {0.25, 0.25};
  EXPECT_EQ(span_of(two_clients(132), system), kThereAndBack + 20_us);
  EXPECT_EQ(span_of(two_clients(68), system), kThereAndBack + 10_us);
  EXPECT_EQ(span_of(two_clients(69), system), kThereAndBack + 20_us);
}

TEST(MpsShare, OfMoreThanAllTogetherOverlaps) {
  system::SystemSpec system = large_system();
  system.mps = true;
  system.sm_shares = {0.75, 0.75};
  // 99 SMs, rounded up to 100, hold 200 blocks. Together the clients have 264 places, of which the
  // first takes 200 and the second finds 64; the other 136 come when the first's have ended.
  EXPECT_EQ(span_of(two_clients(200), system), kThereAndBack + 20_us);
}

}  // namespace
}  // namespace septet::test
