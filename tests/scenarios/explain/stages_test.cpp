#include "scenarios/explain/stages.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/explain/described_kernels.hpp"
#include "tests/scenarios/explain/shipped_kernels.hpp"

namespace septet::testing {
namespace {

explain::StageTimes stages_of(const gpu::GpuSpec& gpu, const explain::KernelDescription& kernel) {
  return stage_times(gpu, round_host(), kernel, kernel_time(gpu, kernel.shape, work_of(kernel)));
}

TEST(StageTimes, AddUpToSubmissionAndKernel) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.front_end.doorbell_latency = Duration(450'000);
  gpu.front_end.launch_latency = Duration(2'750'000);
  gpu.kernel.block.ramp = Duration(310'000);
  gpu.block_scheduler.block_interval = Duration(1'000);
  for (const std::uint32_t blocks : {1U, 7U, 25U, 4000U}) {
    for (const double turns : {1.0, 3.0, 100.0}) {
      explain::KernelDescription kernel =
          kernel_of(shape_of(blocks, 256), turns, 30, 100, {dense(4, 2), dense(4, 1, true)});
      kernel.segments[0].segment.shared_wavefronts = 60;
      const Duration own = kernel_time(gpu, kernel.shape, work_of(kernel)).total;
      const explain::StageTimes stages = stages_of(gpu, kernel);
      EXPECT_EQ(stages.total(), Duration(5'200'000) + own) << blocks << ' ' << turns;
      for (const Duration stage : stages.of) EXPECT_GE(stage, Duration(0)) << blocks;
    }
  }
}

TEST(StageTimes, OfTheExamplesAreNeverNegative) {
  for (const char* name : kShippedKernels) {
    const explain::ExplainQuestion q = shipped_kernel(name);
    const gpu::KernelTime time = kernel_time(q.gpu, q.kernel.shape, work_of(q.kernel));
    const explain::StageTimes stages = stage_times(q.gpu, q.host, q.kernel, time);
    for (const Duration stage : stages.of) EXPECT_GE(stage, Duration(0)) << name;
    EXPECT_EQ(stages.total(), explain::submission_time(q.gpu, q.host) + time.total) << name;
  }
}

TEST(StageTimes, SubmissionIsTheHostsAndTheFrontEnds) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.front_end.doorbell_latency = Duration(1'000);
  gpu.front_end.command_interval = Duration(200);
  gpu.front_end.launch_latency = Duration(30);
  EXPECT_EQ(explain::submission_time(gpu, round_host()), Duration(2'001'230));
}

TEST(StageTimes, AChainIsExecutionAndFullSlotsAreIssue) {
  // One warp: 10 of 400 cycles issue. 64 warps: 16 x 100 cycles issue, longer than the chain.
  const explain::StageTimes chain =
      stages_of(round_gpu(), kernel_of(shape_of(1, 32), 100, 10, 400));
  EXPECT_EQ(chain[explain::Stage::kIssue], Duration(1'000'000));
  EXPECT_EQ(chain[explain::Stage::kExecution], Duration(39'000'000));
  const explain::StageTimes full =
      stages_of(round_gpu(), kernel_of(shape_of(20, 1024), 100, 100, 400));
  EXPECT_EQ(full[explain::Stage::kIssue], Duration(160'000'000));
  EXPECT_EQ(full[explain::Stage::kExecution], Duration(0));
}

TEST(StageTimes, PipesThatTakeLongerThanTheirSlotsAreExecution) {
  // Double precision issues every second cycle: half of the busy time is the slots'.
  explain::KernelDescription kernel = kernel_of(shape_of(20, 1024), 100, 0, 0);
  kernel.segments[0].segment[program::Pipe::kFp64] = 100;
  const explain::StageTimes stages = stages_of(round_gpu(), kernel);
  EXPECT_EQ(stages[explain::Stage::kIssue], Duration(160'000'000));
  EXPECT_EQ(stages[explain::Stage::kExecution], Duration(160'000'000));
}

TEST(StageTimes, BankConflictsAreMemoryAccess) {
  // 32 warps on an SM: 10 instructions are 8 x 10 slots; 15 wavefronts each are 32 x 15 cycles of
  // the memory pipe, 400 more.
  explain::KernelDescription kernel = kernel_of(shape_of(10, 1024), 100, 10, 0);
  kernel.segments[0].segment.shared_wavefronts = 15;
  const explain::StageTimes stages = stages_of(round_gpu(), kernel);
  EXPECT_EQ(stages[explain::Stage::kIssue], Duration(8'000'000));
  EXPECT_EQ(stages[explain::Stage::kMemory], Duration(40'000'000));
  EXPECT_EQ(stages[explain::Stage::kExecution], Duration(0));
}

}  // namespace
}  // namespace septet::testing
