#include "models/gpu/kernel/kernel_time.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/gpu/kernel/sharing.hpp"
#include "tests/models/gpu/kernel/kernel_gpu.hpp"

namespace septet::testing {
namespace {

program::InstructionWork fma_loop(double iterations, double instructions, double chain) {
  program::Segment segment;
  segment.repeat = iterations;
  segment[program::Pipe::kFma] = instructions;
  segment.chain_cycles = chain;
  return {{segment}};
}

TEST(KernelTime, OfOneWarpIsItsDependencyChain) {
  // 100 iterations of 400 cycles at 1 GHz, 10 of 400 of them issued.
  const gpu::KernelTime time = kernel_time(round_gpu(), shape_of(1, 32), fma_loop(100, 10, 400));
  EXPECT_EQ(time.total, Duration(40'000'000));
  EXPECT_EQ(time.issue, Duration(1'000'000));
  EXPECT_EQ(time.dependency, Duration(39'000'000));
  EXPECT_EQ(time.limiter, gpu::Bottleneck::kDependency);
}

TEST(KernelTime, OfAFullSmIsItsIssue) {
  // 64 warps on 4 schedulers: 16 x 100 an iteration, more than the chain of 400.
  const gpu::KernelTime time =
      kernel_time(round_gpu(), shape_of(20, 1024), fma_loop(100, 100, 400));
  EXPECT_EQ(time.total, Duration(160'000'000));
  EXPECT_EQ(time.limiter, gpu::Bottleneck::kIssue);
  EXPECT_DOUBLE_EQ(time.issue_use, 1.0);
}

TEST(KernelTime, PartsAddUpToTheWhole) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.block.ramp = Duration(500'000);
  gpu.block_scheduler.block_interval = Duration(1'000);
  program::InstructionWork work = fma_loop(10, 30, 100);
  work.segments[0].batches = {program::MemoryBatch{}};
  work.once_cycles = 70;
  for (const std::uint32_t blocks : {1U, 7U, 25U, 4000U}) {
    const gpu::KernelTime time = kernel_time(gpu, shape_of(blocks, 256), work);
    const Duration sum =
        time.dispatch + time.creation + time.fetch + time.issue + time.dependency + time.memory;
    EXPECT_EQ(sum, time.total) << blocks;
    EXPECT_GE(time.dependency, Duration(0)) << blocks;
  }
}

TEST(KernelTime, PartsAreNeverNegative) {
  // Blocks of one iteration whose issue hides behind latency, and whose life is longer than their
  // chain.
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.block.turnover_cycles = 150;
  gpu.kernel.issue.spread_hide_cycles = 100;
  gpu.kernel.memory.dram_spread_cycles = 136;
  program::InstructionWork work = fma_loop(1, 13, 20);
  work.segments[0].batches = {program::MemoryBatch{}};
  const gpu::KernelTime time = kernel_time(gpu, shape_of(4000, 256), work);
  EXPECT_GE(time.dependency, Duration(0));
  EXPECT_GE(time.issue, Duration(0));
  EXPECT_EQ(time.dispatch + time.creation + time.fetch + time.issue + time.dependency + time.memory,
            time.total);
}

TEST(KernelTime, LongBlocksRunInWholeWaves) {
  // 2 blocks of 1024 threads an SM: 20 at once; 30 take a full wave and one of half the warps.
  const gpu::KernelTime full =
      kernel_time(round_gpu(), shape_of(20, 1024), fma_loop(100, 100, 400));
  const gpu::KernelTime half =
      kernel_time(round_gpu(), shape_of(10, 1024), fma_loop(100, 100, 400));
  const gpu::KernelTime both =
      kernel_time(round_gpu(), shape_of(30, 1024), fma_loop(100, 100, 400));
  EXPECT_EQ(both.total, full.total + half.total);
  EXPECT_DOUBLE_EQ(both.waves, 1.5);
}

TEST(KernelTime, BlocksThatFailToFitAreNamed) {
  program::LaunchShape shape = shape_of(1, 1024);
  shape.registers_per_thread = 128;  // 131,072 registers a block, an SM has 65,536
  EXPECT_THROW(kernel_time(round_gpu(), shape, fma_loop(1, 1, 1)), ModelError);
}

TEST(KernelTime, OfMoreThanAMillionSecondsIsRefused) {
  // 1e15 cycles at 1 GHz.
  EXPECT_NO_THROW(kernel_time(round_gpu(), shape_of(1, 32), fma_loop(0.99e12, 1, 1000)));
  EXPECT_THROW(kernel_time(round_gpu(), shape_of(1, 32), fma_loop(1e12, 1, 1001)), ModelError);
}

TEST(KernelTime, DispatchLimitsGridsOfEmptyBlocks) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.block_scheduler.block_interval = Duration(10'000);  // 10 cycles
  const gpu::KernelTime time = kernel_time(gpu, shape_of(100'000, 32), fma_loop(1, 1, 1));
  EXPECT_EQ(time.limiter, gpu::Bottleneck::kDispatch);
  EXPECT_NEAR(to_us(time.total), 1000, 1);
}

TEST(KernelTime, OfOneIterationAndAHalfLiesHalfwayBetweenThoseOfOneAndTwo) {
  // Blocks of few iterations in several waves; nothing queues, so the time is linear in what they
  // do.
  const auto time = [](double iterations) {
    program::InstructionWork work = fma_loop(iterations, 1, 10);
    work.segments[0].batches = {program::MemoryBatch{}};
    return kernel_time(round_gpu(), shape_of(4000, 32), work).total;
  };
  EXPECT_NEAR(to_us(time(1.5)), (to_us(time(1)) + to_us(time(2))) / 2, 1e-5);
}

TEST(KernelTime, AGridJustBeyondOneWaveTakesNoLessThanOneThatFits) {
  // Two segments: where blocks drift, issue of the one hides behind the loads of the other.
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.issue.spread_hide_cycles = 1000;
  program::InstructionWork work = fma_loop(1, 200, 20);
  work.segments.push_back(work.segments[0]);
  work.segments[1].batches = {program::MemoryBatch{}};
  const Duration fits = kernel_time(gpu, shape_of(20, 1024), work).total;
  const Duration beyond = kernel_time(gpu, shape_of(21, 1024), work).total;
  EXPECT_GE(beyond, fits);
}

TEST(KernelTime, IsLimitedByWhatHappensOnceWhereThatIsTheLongest) {
  program::InstructionWork work = fma_loop(10, 10, 100);  // 1,000 cycles
  EXPECT_EQ(kernel_time(round_gpu(), shape_of(1, 32), work).limiter, gpu::Bottleneck::kDependency);
  work.once_cycles = 1001;
  EXPECT_EQ(kernel_time(round_gpu(), shape_of(1, 32), work).limiter, gpu::Bottleneck::kFetch);
}

// Of kernels that may use the whole GPU, all running at once.
std::vector<double> slow_downs(const gpu::GpuSpec& gpu,
                               const std::vector<gpu::SharedKernel>& kernels) {
  std::vector<gpu::Sharer> sharers;
  for (const gpu::SharedKernel& kernel : kernels) sharers.push_back({&kernel, gpu.sm_count, 0, 1});
  gpu::Sharing(gpu).solve(sharers);
  std::vector<double> out;
  for (const gpu::Sharer& sharer : sharers) out.push_back(sharer.slow_down);
  return out;
}

TEST(Sharing, KernelsThatDoNotMeetRunAsAlone) {
  const gpu::GpuSpec gpu = round_gpu();
  const gpu::SharedKernel kernel = shared_kernel(gpu, shape_of(5, 128), fma_loop(10, 100, 400));
  const std::vector<double> slow = slow_downs(gpu, {kernel, kernel});
  EXPECT_NEAR(slow[0], 1.0, 1e-6);
  EXPECT_NEAR(slow[1], 1.0, 1e-6);
}

TEST(Sharing, TwoReadersOfOneMemoryTakeTwiceAsLong) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.memory.dram_queue_cycles = 10;
  program::InstructionWork work = fma_loop(1000, 1, 1);
  program::MemoryBatch batch;
  batch.requests = 8;
  work.segments[0].batches = {batch};
  // Each alone saturates DRAM: 320 warps x 1 KiB at 100 bytes a cycle, 3277 cycles over 516.
  const gpu::SharedKernel reader = shared_kernel(gpu, shape_of(10, 1024), work);
  const std::vector<double> slow = slow_downs(gpu, {reader, reader});
  EXPECT_NEAR(slow[0], 2.0, 0.02);
  EXPECT_NEAR(slow[1], 2.0, 0.02);
}

TEST(Sharing, KernelsOfDifferentPartitionsNeverMeet) {
  // Each keeps the issue slots of its SMs busy; on the same SMs the older one would be left behind.
  const gpu::GpuSpec gpu = round_gpu();
  const gpu::SharedKernel kernel = shared_kernel(gpu, shape_of(20, 1024), fma_loop(10, 100, 400));
  std::vector<gpu::Sharer> apart = {{&kernel, 10, 1, 1}, {&kernel, 10, 2, 1}};
  gpu::Sharing(gpu).solve(apart);
  EXPECT_DOUBLE_EQ(apart[0].slow_down, 1);
  std::vector<gpu::Sharer> together = {{&kernel, 10, 1, 1}, {&kernel, 10, 1, 1}};
  gpu::Sharing(gpu).solve(together);
  EXPECT_GT(together[0].slow_down, 2);
  EXPECT_DOUBLE_EQ(together[1].slow_down, 1);
}

TEST(Sharing, AnEqualKernelCountsAsManyTimesAsItRuns) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.memory.dram_queue_cycles = 10;
  program::InstructionWork work = fma_loop(1000, 1, 1);
  work.segments[0].batches = {program::MemoryBatch{}};
  const gpu::SharedKernel reader = shared_kernel(gpu, shape_of(10, 1024), work);
  const std::vector<gpu::SharedKernel> copies(5, reader);
  const std::vector<double> apart = slow_downs(gpu, copies);
  std::vector<gpu::Sharer> one(5, gpu::Sharer{&reader, gpu.sm_count, 0, 1});
  gpu::Sharing(gpu).solve(one);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(one[i].slow_down, apart[i], 1e-9);
}

}  // namespace
}  // namespace septet::testing
