#include "models/gpu/operators/attention.hpp"

#include <gtest/gtest.h>

#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

// A step of 128 queries and 128 keys of dimension 128: 4 x 128^3 / 1024 cycles of products and
// 128^2 / 16 of softmax.
constexpr double kStep = 8192 + 1024;

program::Attention heads(std::uint64_t count, std::uint64_t length) {
  program::Attention out;
  out.heads = out.kv_heads = count;
  out.queries = out.keys = length;
  return out;
}

TEST(CudnnPrefill, FollowsTheTilesOfTheFirstSm) {
  // 8 heads x 32 tiles on 132 SMs, longest first: the first SM takes tile 0 with 32 steps, and tile
  // 132, which is of row 132 / 8 = 16 from the end and has 16.
  gpu::GpuSpec gpu = fast_memory_gpu();
  gpu.sm_count = 132;
  gpu.operators.cudnn.tile_cycles = 1000;
  program::Attention attention = heads(8, 4096);
  attention.causal = true;
  EXPECT_NEAR(cycles_of(cudnn_prefill(gpu, attention, {}).time), 48 * kStep + 2 * 1000, 10);
  attention.causal = false;  // two tiles of 32
  EXPECT_NEAR(cycles_of(cudnn_prefill(gpu, attention, {}).time), 64 * kStep + 2 * 1000, 10);
}

TEST(CudnnPrefill, CountsTheOperationsOfAllTiles) {
  // Four rows of tiles, 1 + 2 + 3 + 4 steps of 4 x 128^3 operations.
  program::Attention attention = heads(1, 512);
  attention.causal = true;
  const gpu::OperatorTime time = cudnn_prefill(fast_memory_gpu(), attention, {});
  EXPECT_DOUBLE_EQ(time.activity.flops, 10 * 4.0 * 128 * 128 * 128);
}

TEST(CudnnDecode, ReadsTheCacheAtTheDramsRate) {
  // 10 heads x 64 sequences of 1024 keys: 2 x 128 x 2 bytes each, at 100 bytes a cycle.
  program::Attention attention = heads(10, 1024);
  attention.batch = 64;
  attention.queries = 1;
  attention.dim = 64;
  const double least = 2.0 * 10 * 64 * 1024 * 64 * 2 / 100;
  const double cycles = cycles_of(cudnn_decode(operator_gpu(), attention).time);
  EXPECT_GE(cycles, 0.99 * least);
  EXPECT_LE(cycles, 1.05 * least);
}

TEST(CudnnDecode, SplitsLongSequencesOfFewHeads) {
  gpu::GpuSpec gpu = fast_memory_gpu();
  gpu.operators.cudnn.decode_step_cycles = 1000;
  program::Attention attention = heads(1, 16 * 128);
  attention.queries = 1;
  attention.dim = 64;
  // A step is 1000 + 2 x 128 x 64 x 2 / 32 = 2024 cycles; of 16 splits of one step each, which
  // 20 blocks allow.
  EXPECT_NEAR(cycles_of(cudnn_decode(gpu, attention).time), 2024, 1);
}

TEST(Flash3Decode, SearchesOnlyAmongMoreThan31Sequences) {
  gpu::GpuSpec gpu = fast_memory_gpu();
  gpu.sm_count = 132;
  program::Attention attention = heads(1, 128);
  attention.queries = 1;
  const auto cycles = [&](std::uint64_t batch, double search) {
    attention.batch = batch;
    gpu.operators.flash3.search_cycles = search;
    return cycles_of(flash3_decode(gpu, attention).time);
  };
  EXPECT_NEAR(cycles(31, 1500), cycles(31, 0), 1e-3);
  EXPECT_NEAR(cycles(62, 1500), cycles(62, 0) + 1500, 1e-3);
  EXPECT_NEAR(cycles(1000, 1500), cycles(1000, 0), 1e-3);  // list not prepared
}

TEST(Flash3Decode, OfGroupedHeadsAddsOnlyTheirRows) {
  // 8 rows instead of 1: 7 x 4 x 128 / 16 cycles.
  const gpu::GpuSpec gpu = fast_memory_gpu();
  program::Attention attention = heads(1, 128);
  attention.queries = 1;
  const double one = cycles_of(flash3_decode(gpu, attention).time);
  attention.heads = 8;
  EXPECT_NEAR(cycles_of(flash3_decode(gpu, attention).time), one + 224, 1e-3);
}

TEST(Flash3Prefill, TakesTheLongestTileOrTheMean) {
  // One head, four tiles on 10 SMs: 4 steps. 10 heads, 40 tiles: 100 steps over 10 SMs, 4 tiles
  // and a half; each tile's rows come and go in 4 x 128 x 128 / 16 cycles.
  const gpu::GpuSpec gpu = fast_memory_gpu();
  constexpr double kRows = 4096;
  program::Attention one = heads(1, 512);
  one.causal = true;
  EXPECT_NEAR(cycles_of(flash3_prefill(gpu, one, {}).time), 4 * kStep + kRows, 10);
  program::Attention ten = heads(10, 512);
  ten.causal = true;
  EXPECT_NEAR(cycles_of(flash3_prefill(gpu, ten, {}).time), 10 * kStep + 4.5 * kRows, 10);
}

}  // namespace
}  // namespace septet::testing
