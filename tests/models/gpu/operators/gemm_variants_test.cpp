#include "models/gpu/operators/gemm_variants.hpp"

#include <gtest/gtest.h>

#include "models/gpu/operators/gemm_tiles.hpp"
#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

program::Gemm product(double m, double n, double k,
                      program::DataType type = program::DataType::kBf16) {
  return {.m = m, .n = n, .k = k, .type = type};
}

TEST(Alignment, IsThatOfTheWorstStride) {
  EXPECT_EQ(gpu::alignment_of(product(7, 4096, 4096)), 16) << "rows don't count";
  EXPECT_EQ(gpu::alignment_of(product(8, 4100, 4096)), 8);
  EXPECT_EQ(gpu::alignment_of(product(8, 4096, 4098)), 4);
  EXPECT_EQ(gpu::alignment_of(product(8, 50257, 768)), 2);
  EXPECT_EQ(gpu::alignment_of(product(8, 4098, 4097, program::DataType::kTf32)), 4);
  EXPECT_EQ(gpu::alignment_of(product(8, 4096, 4095, program::DataType::kFp8)), 1);
}

TEST(Families, FollowFromTypeAndAlignment) {
  using gpu::GemmFamily;
  EXPECT_EQ(gpu::family_of(product(8, 64, 64)), GemmFamily::kLibrary);
  EXPECT_EQ(gpu::family_of(product(8, 65, 64)), GemmFamily::kElements);
  EXPECT_EQ(gpu::family_of(product(8, 65, 64, program::DataType::kFp32)), GemmFamily::kFma);
}

TEST(UnalignedProducts, CopyElementByElement) {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.operators.mma = {.flops = 512, .access_cycles = 0.25, .store_cycles = 2};
  // k = 33: two steps of 32 elements; 256 rows of 32 elements, each copied for a quarter cycle.
  const gpu::TileKernel odd = tiled(gpu, product(128, 128, 33), {128, 128}, 1);
  EXPECT_DOUBLE_EQ(odd.steps, 2);
  EXPECT_DOUBLE_EQ(odd.tensor, 2.0 * 128 * 128 * 32 / 512);
  EXPECT_DOUBLE_EQ(odd.copy_bytes / gpu.operators.pipeline.copy_bytes, 256 * 32 * 0.25);
  EXPECT_DOUBLE_EQ(odd.l2_bytes, 256 * 64);
  EXPECT_DOUBLE_EQ(odd.tile_end_cycles, 128 * 128 * 2);
  // Strides of 8 bytes: two elements at once, no more.
  const gpu::TileKernel even = tiled(gpu, product(128, 132, 64), {128, 128}, 1);
  EXPECT_DOUBLE_EQ(even.copy_bytes / gpu.operators.pipeline.copy_bytes, 256 * 16 * 0.25);
  EXPECT_DOUBLE_EQ(even.tile_end_cycles, 128 * 128 * 2 / 2);
}

TEST(Int4Products, UnpackTheWeightsAgainForEvery16Rows) {
  const gpu::GpuSpec gpu = operator_gpu();
  program::Gemm gemm = product(16, 80, 1024);
  gemm.form = program::GemmForm::kInt4Weights;
  EXPECT_EQ(int4_kernel(gpu, gemm).shape.blocks(), 10U);
  gemm.m = 17;
  EXPECT_EQ(int4_kernel(gpu, gemm).shape.blocks(), 20U);
}

TEST(BatchedProducts, AreTilesSideBySide) {
  program::Gemm gemm = product(128, 128, 64);
  const gpu::TileKernel one = tiled(operator_gpu(), gemm, {128, 128}, 1);
  gemm.batch = 3;
  const gpu::TileKernel three = tiled(operator_gpu(), gemm, {128, 128}, 1);
  EXPECT_DOUBLE_EQ(three.tiles, 3 * one.tiles);
  EXPECT_DOUBLE_EQ(three.dram_read, 3 * one.dram_read);
  EXPECT_DOUBLE_EQ(three.dram_write, 3 * one.dram_write);
}

}  // namespace
}  // namespace septet::testing
