#include "models/gpu/operators/tile_kernel.hpp"

#include <gtest/gtest.h>

#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

gpu::TileKernel one_tile() {
  gpu::TileKernel kernel;
  kernel.tiles = 1;
  kernel.steps = 10;
  kernel.tensor = 200;
  kernel.start_cycles = 1000;
  kernel.end_cycles = 500;
  kernel.tile_end_cycles = 50;
  return kernel;
}

double cycles(const gpu::GpuSpec& gpu, const gpu::TileKernel& kernel) {
  return cycles_of(pipeline_time(gpu, kernel, gpu.clock).time);
}

TEST(PipelineTime, OfOneTileIsItsStepsBetweenStartAndEnd) {
  // 1000 + 10 x 200 + 50 + 500.
  EXPECT_NEAR(cycles(operator_gpu(), one_tile()), 3550, 1);
  EXPECT_EQ(pipeline_time(operator_gpu(), one_tile(), 1000_MHz).limiter, gpu::Bottleneck::kPipe);
}

TEST(PipelineTime, HasALeastTimeForEachStep) {
  gpu::TileKernel kernel = one_tile();
  kernel.tensor = 20;
  EXPECT_NEAR(cycles(operator_gpu(), kernel), 1000 + 10 * 100 + 50 + 500, 1);
}

TEST(PipelineTime, OfTwiceTheDepthHasTwiceTheMainLoop) {
  gpu::TileKernel kernel = one_tile();
  kernel.steps = 20;
  EXPECT_NEAR(cycles(operator_gpu(), kernel), 3550 + 10 * 200, 1);
}

TEST(PipelineTime, GivesTheLastWaveTheBandwidthOfAllSms) {
  // 10 SMs ask for 40,000 bytes a step each at 1,000 bytes a cycle: 400 cycles. A lone SM needs 40,
  // less than the 100 of a step.
  gpu::TileKernel kernel = one_tile();
  kernel.tensor = 0;
  kernel.l2_bytes = 40'000;
  kernel.tiles = 10;
  EXPECT_NEAR(cycles(operator_gpu(), kernel), 1500 + 4050, 1);
  kernel.tiles = 11;
  EXPECT_NEAR(cycles(operator_gpu(), kernel), 1500 + 4050 + 1050, 1);
}

TEST(PipelineTime, TakesAtLeastTheTimeOfItsDramBytes) {
  // 10 tiles, 2 MB at 100 bytes a cycle.
  gpu::TileKernel kernel = one_tile();
  kernel.tiles = 10;
  kernel.dram_read = 2e6;
  EXPECT_NEAR(cycles(operator_gpu(), kernel), 1500 + 20'000 + 50, 1);
}

TEST(PipelineTime, MixedReadsAndWritesLoseTheTurnaround) {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.kernel.memory.dram_turnaround = 0.2;
  gpu::TileKernel kernel = one_tile();
  kernel.tiles = 10;
  kernel.dram_read = kernel.dram_write = 1e6;
  EXPECT_NEAR(cycles(gpu, kernel), 1500 + 24'000 + 50, 1);
}

TEST(PipelineTime, AtHalfTheClockDoublesWhatTheSmsDo) {
  const gpu::GpuSpec gpu = operator_gpu();
  EXPECT_NEAR(cycles_of(pipeline_time(gpu, one_tile(), 500_MHz).time), 7100, 1);
}

}  // namespace
}  // namespace septet::testing
