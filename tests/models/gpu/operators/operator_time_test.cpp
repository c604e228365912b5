#include "models/gpu/operators/operator_time.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

// A million cycles whose work draws 1 kW at full clock; without idle power 500 W are the limit.
gpu::GpuSpec limited_gpu() {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.power.limit = Power(500);
  gpu.power.bf16_pj_per_flop = 1;
  return gpu;
}

gpu::OperatorTime hot(Frequency clock) {
  gpu::OperatorTime out;
  out.time = cycle_time(1e6, clock);
  out.clock = clock;
  out.activity.flops = 1e12;
  return out;
}

TEST(UnderLoad, RunsAtFullClockAtFirst) {
  EXPECT_EQ(under_load(limited_gpu(), hot, {}).time, 1_ms);
}

TEST(UnderLoad, SettlesWhereThePowerIsWithinTheLimit) {
  const gpu::OperatorTime settled = under_load(limited_gpu(), hot, {.steady = true});
  EXPECT_EQ(settled.clock, 500_MHz);
  EXPECT_EQ(settled.time, 2_ms);
}

TEST(UnderLoad, CountsTheTimeOfEarlierCalls) {
  // 10 calls of 1 ms are one time constant.
  const gpu::OperatorTime ten = under_load(limited_gpu(), hot, {.calls = 10});
  EXPECT_NEAR(ten.clock.count(), 1e9 - 0.5e9 * (1 - std::exp(-1)), 1);
  EXPECT_EQ(under_load(limited_gpu(), hot, {.before = 10_ms}).clock, ten.clock);
}

TEST(ActivityOf, CountsEveryThreadsInstructionsAndEverySectorBelowL1) {
  // 10 blocks of 64 threads: 20 warps. Three turns of 4 instructions and of two loads of 4 sectors,
  // a half of which hits L1.
  program::Segment turn;
  turn.repeat = 3;
  turn[program::Pipe::kFma] = 3;
  turn[program::Pipe::kTensor] = 1;
  program::MemoryBatch loads;
  loads.requests = 2;
  loads.l1_hit = 0.5;
  turn.batches = {loads};
  program::Kernel kernel;
  kernel.shape.grid.x = 10;
  kernel.shape.block.x = 64;
  kernel.work = program::InstructionWork{{turn}};
  const gpu::Activity activity = gpu::activity_of(kernel, 7);
  EXPECT_DOUBLE_EQ(activity.dram_bytes, 7);
  EXPECT_DOUBLE_EQ(activity.instructions, 20 * 3 * 4 * 32);
  EXPECT_DOUBLE_EQ(activity.l2_bytes, 20 * 3 * 2 * 0.5 * 4 * 32);
  EXPECT_DOUBLE_EQ(activity.flops, 20 * 3 * 4096);
}

TEST(SoftLargest, LiesBetweenTheLargestAndTheSum) {
  EXPECT_DOUBLE_EQ(gpu::soft_largest({0, 0}, 7), 0);
  EXPECT_DOUBLE_EQ(gpu::soft_largest({3, 4}, 2), 5);
  EXPECT_DOUBLE_EQ(gpu::soft_largest({3, 4}, 1), 7);
  EXPECT_NEAR(gpu::soft_largest({3, 4}, 100), 4, 1e-6);
}

}  // namespace
}  // namespace septet::testing
