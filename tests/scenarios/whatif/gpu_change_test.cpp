// Another GPU: what a kernel's name and launch tell, and how durations follow.
#include <algorithm>

#include <gtest/gtest.h>

#include "scenarios/config/configuration.hpp"
#include "scenarios/whatif/inferred_work.hpp"
#include "tests/scenarios/whatif/recorded_program.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

gpu::GpuSpec profile(const std::string& name) {
  const config::ProfileLibrary library(config::data_directories());
  return read_hardware(name, "", {}, library, "test").gpu;
}

const gpu::GpuSpec& h200() {
  static const gpu::GpuSpec gpu = profile("h200-sxm");
  return gpu;
}
const gpu::GpuSpec& h100() {
  static const gpu::GpuSpec gpu = profile("h100-sxm");
  return gpu;
}

program::Kernel kernel_of(const std::string& name, std::uint32_t blocks, std::uint32_t threads) {
  program::Kernel out;
  out.name = name;
  out.shape.grid.x = blocks;
  out.shape.block.x = threads;
  out.shape.registers_per_thread = 32;
  out.work = program::RecordedWork{};
  return out;
}

const char* const kLargeTile = "nvjet_sm90_tst_128x256_64x4_1x2_h_bz_coopA_NNT";
const char* const kFewRows = "nvjet_sm90_tst_128x16_64x11_2x1_v_bz_TNT";
const char* const kDecode =
    "cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_35_16x128x64_1x4x1_cga1x1x1";
const char* const kElementwise =
    "void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<float>>(int)";

TEST(RecordedClass, ReadsWorkTileAndTypeInTheName) {
  const whatif::RecordedClass product = whatif::recorded_class(kLargeTile);
  EXPECT_EQ(product.work, whatif::WorkClass::kProduct);
  EXPECT_EQ(product.rows, 128);
  EXPECT_EQ(product.columns, 256);
  EXPECT_EQ(product.type, program::DataType::kBf16);
  const whatif::RecordedClass decode = whatif::recorded_class(kDecode);
  EXPECT_EQ(decode.work, whatif::WorkClass::kAttention);
  EXPECT_EQ(decode.rows, 16);
  EXPECT_EQ(decode.columns, 128);
  EXPECT_EQ(decode.depth, 64);
  const whatif::RecordedClass cudnn = whatif::recorded_class(
      "sm90_xmma_fprop_image_first_layer_f16f16_f32_nhwc_stride2x2_tile16x64x64_execute");
  EXPECT_EQ(cudnn.rows, 16);  // not the stride
  EXPECT_EQ(cudnn.columns, 64);
  EXPECT_EQ(whatif::recorded_class("nvjet_sm90_qqtst_128x16_128x11_2x1").type,
            program::DataType::kFp8);
  EXPECT_EQ(whatif::recorded_class("ampere_sgemm_128x64_nn").type, program::DataType::kFp32);
  EXPECT_EQ(whatif::recorded_class(kElementwise).work, whatif::WorkClass::kOther);
  EXPECT_EQ(whatif::recorded_class("cublasLt::splitKreduce_kernel<32, 16>").work,
            whatif::WorkClass::kOther);
  EXPECT_EQ(whatif::recorded_class("ncclDevKernel_AllReduce_Sum_bf16_RING_LL").work,
            whatif::WorkClass::kCollective);
}

TEST(InferredWork, TakesAsLongAsWasRecorded) {
  for (const char* name : {kLargeTile, kFewRows, kDecode, kElementwise}) {
    for (const double us : {8.0, 40.0, 900.0}) {
      const whatif::InferredWork work =
          whatif::infer_work(h200(), kernel_of(name, 132, 256), from_us(us));
      EXPECT_NEAR(to_us(time_on(h200(), work)), us, 0.01 * us) << name;
    }
  }
}

// How many times as long the kernel takes on `to`.
double factor(const gpu::GpuSpec& to, const std::string& name, std::uint32_t blocks, double us) {
  const whatif::InferredWork work =
      whatif::infer_work(h200(), kernel_of(name, blocks, 256), from_us(us));
  return ratio(time_on(to, work), time_on(h200(), work));
}

TEST(InferredWork, FollowsTheMemoryWhereItMovedDataAtItsRate) {
  // 4.8 TB/s and 3.35 TB/s.
  constexpr double kBandwidths = 4.8 / 3.35;
  EXPECT_NEAR(factor(h100(), kFewRows, 132, 100), kBandwidths, 0.1);
  EXPECT_NEAR(factor(h100(), kDecode, 528, 200), kBandwidths, 0.05);
  EXPECT_NEAR(factor(h100(), kElementwise, 65536, 400), kBandwidths, 0.05);
}

TEST(InferredWork, OfOneDecodeBlockAnSmHangsOnItsOwnStepsToo) {
  // A step of one block alone takes 2,245 cycles (880 and 32 KiB at 24 bytes a cycle), about as
  // long as its bytes take through DRAM with 131 others: (2245^7 + 1960^7)^(1/7) cycles become
  // (2245^7 + 2808^7)^(1/7).
  EXPECT_NEAR(factor(h100(), kDecode, 132, 200), 2885.0 / 2352, 0.05);
}

TEST(InferredWork, FollowsTheTensorCoresWhereTilesAreLarge) {
  EXPECT_NEAR(factor(h100(), kLargeTile, 132, 200), 1.0, 0.03);  // the same die and clock
  // 312 dense TFLOPS of bf16 instead of 989, and what is reached of them.
  EXPECT_NEAR(factor(profile("a100-sxm-80gb"), kLargeTile, 132, 200), 989.0 / 312, 0.6);
}

TEST(InferredWork, OfShortKernelsFollowsLatencies) {
  EXPECT_NEAR(factor(h100(), kElementwise, 16, 2.2), 1.0, 0.05);
  EXPECT_NEAR(factor(h100(), kElementwise, 1, 0.9), 1.0, 0.05);  // shorter than the model's least
}

TEST(InferredWork, IsCompletedWhereTheRecordingSaysNothing) {
  program::Kernel kernel = kernel_of("unknown", 0, 0);
  kernel.shape.registers_per_thread = 0;
  const whatif::InferredWork work = whatif::infer_work(h200(), kernel, 50_us);
  EXPECT_NEAR(to_us(time_on(h200(), work)), 50, 0.5);
}

// One product of few rows and one NCCL kernel, on the H200.
whatif::WhatIfState on_gpu(const std::string& what_if, const char* product_name = kFewRows) {
  RecordedProgram recorded;
  const std::uint32_t product = recorded.kernel(product_name);
  recorded.program.kernels[product].shape = kernel_of(kFewRows, 132, 384).shape;
  const std::uint32_t collective = recorded.kernel("ncclDevKernel_AllReduce");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(product, 0, 1_us, 100_us);
  recorded.launch(collective, 0, 1_us, 50_us);
  recorded.synchronize_device();
  system::SystemSpec system = round_system();
  system.gpu = h200();
  whatif::WhatIfState state{recorded.program, system, system, {}, {}};
  apply_what_if(what_if, state);
  return state;
}

TEST(GpuChange, OfTheSameGpuChangesNothing) {
  const whatif::WhatIfState state = on_gpu("gpu=h200-sxm");
  EXPECT_EQ(time_in(state.program.threads[0].calls[0]), 100_us);
  EXPECT_EQ(time_in(state.program.threads[0].calls[1]), 50_us);
}

TEST(GpuChange, ScalesKernelsKeepsCollectivesAndSaysWhy) {
  const whatif::WhatIfState state = on_gpu("gpu=NVIDIA H100 80GB HBM3");
  EXPECT_NEAR(to_us(time_in(state.program.threads[0].calls[0])), 100 * 4.8 / 3.35, 10);
  EXPECT_EQ(time_in(state.program.threads[0].calls[1]), 50_us);
  EXPECT_EQ(state.system.gpu.name, "h100-sxm");
  EXPECT_EQ(state.profile.gpu.name, "h100-sxm");
  ASSERT_EQ(state.notes.size(), 3U);
  EXPECT_TRUE(state.notes[1].starts_with("GEMM: 1 launches, from 100.0 us to"));
  EXPECT_NE(state.notes[1].find("DRAM bandwidth"), std::string::npos) << state.notes[1];
  EXPECT_NE(state.notes[2].find("durations unchanged"), std::string::npos);
}

bool notes_have(const whatif::WhatIfState& state, const std::string& start) {
  return std::ranges::any_of(state.notes,
                             [&](const std::string& note) { return note.starts_with(start); });
}

TEST(GpuChange, WarnsOfNumbersThatAreGuesses) {
  EXPECT_TRUE(notes_have(on_gpu("gpu=b200-sxm"), "warning: b200-sxm: "));
  EXPECT_FALSE(notes_have(on_gpu("gpu=h100-sxm"), "warning: "));
}

TEST(GpuChange, NamesTheTypeThatTakesThePlaceOfOneThatTheGpuLacks) {
  constexpr const char* kFp8 = "nvjet_sm90_qqtst_128x16_128x11_2x1_v_bz_algo2_TNT";
  const std::string warning =
      "warning: a100-sxm-80gb has no fp8 matrix instructions: 1 launches of fp8 kernels are "
      "timed in bf16";
  EXPECT_TRUE(notes_have(on_gpu("gpu=a100-sxm-80gb", kFp8), warning));
  EXPECT_FALSE(notes_have(on_gpu("gpu=a100-sxm-80gb"), warning));
  EXPECT_FALSE(notes_have(on_gpu("gpu=l40s", kFp8), "warning: l40s has no"));
}

TEST(GpuChange, ActsTogetherWithOthers) {
  const whatif::WhatIfState state = on_gpu("gpu=h100-sxm + kernel=nvjet:scale=0.5");
  EXPECT_NEAR(to_us(time_in(state.program.threads[0].calls[0])), 50 * 4.8 / 3.35, 5);
}

TEST(GpuChange, OfAnUnknownGpuIsAnError) { EXPECT_THROW(on_gpu("gpu=h300"), ConfigError); }

}  // namespace
}  // namespace septet::test
