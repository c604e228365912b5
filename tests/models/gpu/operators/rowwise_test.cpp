#include <gtest/gtest.h>

#include "models/gpu/operators/library_kernels.hpp"
#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

program::Kernel kernel_of(const program::Operator& what) {
  return std::get<program::Kernel>(library_kernels(operator_gpu(), {what}).run);
}

program::Kernel kernel_of(program::RowOperator what, double rows, double columns) {
  return kernel_of(program::Rowwise{.what = what, .rows = rows, .columns = columns});
}

const std::vector<program::Segment>& segments(const program::Kernel& kernel) {
  return std::get<program::InstructionWork>(kernel.work).segments;
}

TEST(ElementwiseKernel, CoversAllElementsAndReadsEachOnce) {
  program::Elementwise what;
  what.elements = 1024 * 1024;
  what.inputs = 2;
  const program::Kernel kernel = kernel_of(what);
  EXPECT_EQ(kernel.shape.blocks(), 1024U);  // 128 threads of 8 elements
  const program::MemoryBatch& loads = segments(kernel)[0].batches[0];
  const double warps = 1024 * 4;
  EXPECT_DOUBLE_EQ(warps * loads.requests * loads.sectors * 32, 2 * 2.0 * 1024 * 1024);
}

TEST(ElementwiseKernel, OfFewElementsIsOneBlockWithIdleLanes) {
  program::Elementwise what;
  what.elements = 256;
  const program::Kernel kernel = kernel_of(what);
  EXPECT_EQ(kernel.shape.blocks(), 1U);
  EXPECT_DOUBLE_EQ(segments(kernel)[0].batches[0].sectors, 4);  // a quarter of 16
}

TEST(ElementwiseKernel, OfManyElementsIsBoundByDram) {
  program::Elementwise what;
  what.elements = 64e6;
  const gpu::OperatorTime time = operator_time(operator_gpu(), {what});
  // 256 MB at 100 bytes a cycle.
  EXPECT_NEAR(cycles_of(time.time), 2.56e6, 0.03e6);
  EXPECT_EQ(time.limiter, gpu::Bottleneck::kDram);
}

TEST(StridedKernel, TakesLongerThanTheContiguousOne) {
  const program::OperandState state{.l2_hit = 1, .output_stays = true};
  const program::Elementwise contiguous{.elements = 1e6, .state = state};
  const program::Elementwise strided{
      .elements = 1e6, .access = program::Access::kStrided, .state = state};
  const gpu::GpuSpec gpu = operator_gpu();
  EXPECT_GT(operator_time(gpu, {strided}).time, operator_time(gpu, {contiguous}).time);
}

TEST(NormKernel, FindsWeightsColdOnlyInTheFirstBlocks) {
  // 16 blocks of 128 threads on each of 10 SMs, 1600 rows: the first tenth.
  const program::Kernel kernel = kernel_of(program::RowOperator::kLayerNorm, 1600, 1024);
  EXPECT_EQ(kernel.shape.blocks(), 1600U);
  EXPECT_DOUBLE_EQ(segments(kernel)[0].repeat, 2);  // 512 elements per iteration
  EXPECT_DOUBLE_EQ(segments(kernel)[2].batches[0].l1_hit, 0.9 * 0.7);
  EXPECT_DOUBLE_EQ(segments(kernel)[2].batches[0].requests, 2);  // weight and bias
}

// 768 columns are an iteration and a half of 512: two of the four warps go through a second one,
// for which the block waits.
TEST(NormKernel, CountsWholeIterationsOfLatencyAndTheAverageOfWork) {
  const program::Segment whole = segments(kernel_of(program::RowOperator::kLayerNorm, 1, 1024))[0];
  const program::Segment part = segments(kernel_of(program::RowOperator::kLayerNorm, 1, 768))[0];
  EXPECT_DOUBLE_EQ(part.repeat, 2);
  EXPECT_DOUBLE_EQ(part.chain_cycles, whole.chain_cycles);
  EXPECT_DOUBLE_EQ(part.repeat * part.batches[0].requests, 1.5);
  EXPECT_DOUBLE_EQ(part[program::Pipe::kFma], 0.75 * whole[program::Pipe::kFma]);
}

// 256,512 bytes are more than the 232,448 that a block may have: each pass reads the row.
TEST(SoftmaxKernel, ReadsRowsThatDoNotFitIntoSharedMemoryAgain) {
  const program::Kernel wide = kernel_of(program::RowOperator::kSoftmax, 64, 128256);
  EXPECT_EQ(wide.shape.dynamic_shared, Bytes(0));
  double requests = 0;
  for (const program::Segment& segment : segments(wide)) {
    for (const program::MemoryBatch& batch : segment.batches) {
      if (!batch.write) requests += segment.repeat * batch.requests;
    }
  }
  const double once = segments(wide)[0].repeat * segments(wide)[0].batches[0].requests;
  EXPECT_DOUBLE_EQ(requests, 3 * once);
  EXPECT_GT(described_time(operator_gpu(), wide).time, Duration(0));
}

TEST(SoftmaxKernel, GivesShortRowsToWarpsAndLongOnesToBlocks) {
  const program::Kernel warps = kernel_of(program::RowOperator::kSoftmax, 1000, 2048);
  EXPECT_EQ(warps.shape.blocks(), 250U);
  EXPECT_EQ(warps.shape.threads_per_block(), 128U);
  const program::Kernel blocks = kernel_of(program::RowOperator::kSoftmax, 1000, 8192);
  EXPECT_EQ(blocks.shape.blocks(), 1000U);
  EXPECT_EQ(blocks.shape.threads_per_block(), 1024U);
  EXPECT_EQ(kernel_of(program::RowOperator::kSoftmax, 1, 2056).shape.threads_per_block(), 512U);
}

TEST(ArgmaxKernel, ReadsARowIn2048Elements) {
  EXPECT_DOUBLE_EQ(segments(kernel_of(program::RowOperator::kArgmax, 1, 20'480))[0].repeat, 10);
}

TEST(GatherKernel, TakesAnIterationForEach16KiBOfARow) {
  // 1024 threads of 16 bytes.
  EXPECT_DOUBLE_EQ(segments(kernel_of(program::Gather{.rows = 5, .columns = 16'384}))[1].repeat, 2);
}

TEST(Convolution, OfSinglePointsIsThePlainProduct) {
  program::Convolution what;
  what.batch = 2;
  what.in_channels = 64;
  what.height = what.width = 14;
  what.out_channels = 256;
  const program::Gemm gemm = implicit_gemm(what);
  EXPECT_DOUBLE_EQ(gemm.m, 2 * 14 * 14);
  EXPECT_DOUBLE_EQ(gemm.n, 256);
  EXPECT_DOUBLE_EQ(gemm.k, 64);
  EXPECT_DOUBLE_EQ(gemm.state.l2_hit, 0);
}

TEST(Convolution, OfThreeByThreeFindsOverlapsInTheL2Cache) {
  program::Convolution what;
  what.in_channels = 64;
  what.height = what.width = 14;
  what.out_channels = 256;
  what.kernel_height = what.kernel_width = 3;
  const double input = 64 * 14 * 14;
  const double weights = 256 * 64 * 9;
  const program::Gemm gemm = implicit_gemm(what);
  EXPECT_DOUBLE_EQ(gemm.k, 64 * 9);
  EXPECT_DOUBLE_EQ(gemm.state.l2_hit, 1 - (input + weights) / (9 * input + weights));
}

}  // namespace
}  // namespace septet::testing
