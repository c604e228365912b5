#include "models/gpu/operators/gemm.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/gpu/operators/gemm_tiles.hpp"
#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

program::Gemm product(double m, double n, double k) {
  program::Gemm out;
  out.m = m;
  out.n = n;
  out.k = k;
  return out;
}

TEST(TiledGemm, OfOneTileAndOneStepFollowsItsGeometry) {
  const gpu::TileKernel kernel = tiled(operator_gpu(), product(128, 128, 64), {128, 128}, 1);
  EXPECT_DOUBLE_EQ(kernel.tiles, 1);
  EXPECT_DOUBLE_EQ(kernel.steps, 1);
  EXPECT_DOUBLE_EQ(kernel.tensor, 2.0 * 128 * 128 * 64 / 1024);
  EXPECT_DOUBLE_EQ(kernel.shared, 4 * 2 * 32 * (64 + 128) / 128.0);
  EXPECT_DOUBLE_EQ(kernel.copy_bytes, 256 * 128);
  EXPECT_DOUBLE_EQ(kernel.l2_bytes, 256 * 128);
  EXPECT_DOUBLE_EQ(kernel.dram_read, 256 * 64 * 2);
  EXPECT_DOUBLE_EQ(kernel.dram_write, 128 * 128 * 2);
}

TEST(TiledGemm, SharesTheLargerOperandInAClusterAndAPair) {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.tensor.multicast = 4;
  gpu.tensor.pair = 2;
  // 256 x 64: two tiles along n use the same slice of 256 rows.
  const gpu::TileKernel kernel = tiled(gpu, product(256, 128, 64), {256, 64}, 1);
  EXPECT_DOUBLE_EQ(kernel.copy_bytes, (256 / 2 + 64) * 128);
  EXPECT_DOUBLE_EQ(kernel.l2_bytes, (256 / 2 + 64) * 128);
}

TEST(TiledGemm, ReadsOnlyWhatTheL2CacheLacks) {
  program::Gemm gemm = product(128, 128, 64);
  gemm.state = {0.75, false, true};
  const gpu::TileKernel kernel = tiled(operator_gpu(), gemm, {128, 128}, 1);
  EXPECT_DOUBLE_EQ(kernel.dram_read, 256 * 64 * 2 / 4);
  EXPECT_DOUBLE_EQ(kernel.dram_write, 0);
}

TEST(TiledGemm, ReadsAgainWhatAWaveIsTooLargeFor) {
  // 13 waves of 10 tiles of 128 x 128, patches of about 3 x 3 tiles: with k = 65,536 one needs
  // 100 MB of operands, ten times what the L2 cache holds. Operands and output of the shallow
  // product, 4 MB, stay in it.
  const program::Gemm deep = product(1024, 2048, 65'536);
  const gpu::TileKernel kernel = tiled(operator_gpu(), deep, {128, 128}, 1);
  EXPECT_GT(kernel.dram_read, 1.5 * (1024 + 2048) * 65'536.0 * 2);
  const gpu::TileKernel shallow = tiled(operator_gpu(), product(1024, 1024, 512), {128, 128}, 1);
  EXPECT_DOUBLE_EQ(shallow.dram_read, (1024 + 1024) * 512.0 * 2);
}

TEST(TiledGemm, RefusesATypeWithoutMatrixInstructions) {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.tensor.fp8_flops = 0;
  program::Gemm gemm = product(128, 128, 128);
  gemm.type = program::DataType::kFp8;
  EXPECT_THROW(plan_gemm(gpu, gemm), ModelError);
}

TEST(PlannedGemm, IsTheFastestOfAllTiles) {
  const gpu::GpuSpec gpu = operator_gpu();
  for (const program::Gemm& gemm :
       {product(1, 1024, 4096), product(300, 700, 500), product(4096, 64, 64)}) {
    const gpu::GemmPlan plan = plan_gemm(gpu, gemm);
    for (const gpu::Tile tile : sensible_tiles(gpu.tensor, gemm)) {
      EXPECT_LE(plan.alone.time, plan_gemm(gpu, gemm, {tile, 1, true}).alone.time)
          << tile.m << " x " << tile.n;
    }
  }
}

TEST(PlannedGemm, OfOneRowIsBoundByItsWeights) {
  // 1024 x 4096 x 2 bytes at 100 bytes a cycle; start and end are 0.
  const gpu::GemmPlan plan = plan_gemm(operator_gpu(), product(1, 1024, 4096));
  const double least = 1024 * 4096 * 2 / 100.0;
  EXPECT_GE(cycles_of(plan.alone.time), least);
  EXPECT_LE(cycles_of(plan.alone.time), 1.15 * least);
  EXPECT_EQ(plan.alone.limiter, gpu::Bottleneck::kDram);
}

TEST(PlannedGemm, SplitsADeepProductOfFewTiles) {
  EXPECT_GT(plan_gemm(fast_memory_gpu(), product(64, 64, 65'536)).split, 1);
  EXPECT_DOUBLE_EQ(plan_gemm(fast_memory_gpu(), product(64, 64, 256)).split, 1);
  const gpu::GemmChoice whole{std::nullopt, 1, false};
  EXPECT_DOUBLE_EQ(plan_gemm(fast_memory_gpu(), product(64, 64, 65'536), whole).split, 1);
}

TEST(LibraryTiles, FitAccumulatorAndComeBothWays) {
  const std::vector<gpu::Tile> tiles = library_tiles(operator_gpu().tensor);
  const auto has = [&](gpu::Tile tile) {
    return std::find(tiles.begin(), tiles.end(), tile) != tiles.end();
  };
  EXPECT_TRUE(has({128, 256}));
  EXPECT_TRUE(has({256, 128}));
  EXPECT_TRUE(has({64, 8}));
  EXPECT_TRUE(has({8, 64}));
  EXPECT_FALSE(has({256, 256}));
  for (const gpu::Tile tile : tiles) EXPECT_LE(tile.m * tile.n, 32768);
}

}  // namespace
}  // namespace septet::testing
