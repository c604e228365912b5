#include "models/gpu/operators/serving.hpp"

#include <gtest/gtest.h>

#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

program::Gemm product(program::DataType type) {
  program::Gemm out;
  out.m = 1000;
  out.n = 512;
  out.k = 512;
  out.type = type;
  return out;
}

TEST(ServingGemm, InBf16IsThePlainProduct) {
  const program::Gemm gemm = product(program::DataType::kBf16);
  EXPECT_EQ(serving_gemm(operator_gpu(), gemm, {}).time,
            gemm_time(operator_gpu(), gemm, {}, {}).time);
}

TEST(ServingGemm, InFp8WaitsForOneAtomicARow) {
  gpu::GpuSpec gpu = operator_gpu();
  const Duration before = serving_gemm(gpu, product(program::DataType::kFp8), {}).time;
  gpu.operators.gemm.atomic_interval = 1_us;
  const Duration after = serving_gemm(gpu, product(program::DataType::kFp8), {}).time;
  EXPECT_GT(after, 1_ms);
  EXPECT_LT(after, 1_ms + before);
}

TEST(ServingAttention, AddsItsHelpersAndGaps) {
  gpu::GpuSpec gpu = operator_gpu();
  program::Attention attention;
  attention.keys = 512;
  const Duration bare = serving_decode(gpu, attention).time;
  EXPECT_EQ(bare, flash3_decode(gpu, attention).time);
  gpu.operators.call.helper_kernel = 2_us;
  EXPECT_EQ(serving_decode(gpu, attention).time, bare + 4_us);
}

TEST(ServingAttention, SchedulesPrefillButNotOneQuery) {
  gpu::GpuSpec gpu = operator_gpu();
  program::Attention attention;
  attention.queries = attention.keys = 256;
  const Duration prefill = serving_prefill(gpu, attention, {}).time;
  program::Attention one = attention;
  one.queries = 1;
  const Duration decode = serving_prefill(gpu, one, {}).time;
  gpu.operators.flash3.schedule = 5_us;
  EXPECT_EQ(serving_prefill(gpu, attention, {}).time, prefill + 5_us);
  EXPECT_EQ(serving_prefill(gpu, one, {}).time, decode);
}

}  // namespace
}  // namespace septet::testing
