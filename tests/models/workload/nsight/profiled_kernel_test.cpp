#include "models/workload/nsight/profiled_kernel.hpp"

#include <gtest/gtest.h>

#include "models/workload/nsight/profiled_counts.hpp"

namespace septet::testing {
namespace {

gpu::GpuSpec gpu_of_ten() {
  gpu::GpuSpec gpu;
  gpu.sm_count = 10;
  gpu.kernel.memory.dram_latency = 500;
  gpu.kernel.cold.parameter_cycles = 40;
  gpu.kernel.cold.fetch_cycles = 3;
  gpu.kernel.cold.first_touch_cycles = 100;
  return gpu;
}

// 20 blocks of 128 threads: 80 warps, 8 on the busiest SM; 50 instructions a warp.
nsight::ProfiledKernel vector_add() {
  nsight::ProfiledKernel kernel;
  kernel.name = "vectorized_elementwise_kernel<4, add>";
  kernel.metrics = {{"launch__grid_size", 20},
                    {"launch__block_size", 128},
                    {"launch__registers_per_thread", 24},
                    {"smsp__inst_executed.sum", 4000},
                    {"sm__inst_executed_pipe_lsu.sum", 240},
                    {"l1tex__t_bytes.sum", 3 * 80 * 512.0},
                    {"dram__bytes_read.sum", 2 * 80 * 512.0},
                    {"lts__t_bytes.sum", 3 * 80 * 512.0}};
  return kernel;
}

const program::InstructionWork& work_of(const program::Kernel& kernel) {
  return std::get<program::InstructionWork>(kernel.work);
}

TEST(ProfiledKernel, CountsAreThoseOfOneWarp) {
  const program::Kernel kernel = profiled_kernel(vector_add(), gpu_of_ten());
  const program::Segment& segment = work_of(kernel).segments.at(0);
  EXPECT_EQ(kernel.shape.blocks(), 20U);
  EXPECT_DOUBLE_EQ(segment[program::Pipe::kLsu], 3);
  EXPECT_DOUBLE_EQ(segment[program::Pipe::kOther], 47);
}

TEST(ProfiledKernel, ReadsAndWritesAreSplitByWhatDramRead) {
  const program::Kernel kernel = profiled_kernel(vector_add(), gpu_of_ten());
  const auto& batches = work_of(kernel).segments.at(0).batches;
  ASSERT_EQ(batches.size(), 2U);
  // Two loads of 512 bytes, all of them from DRAM; one store of 512.
  EXPECT_DOUBLE_EQ(batches[0].requests, 2);
  EXPECT_DOUBLE_EQ(batches[0].sectors, 16);
  EXPECT_DOUBLE_EQ(batches[0].l2_hit, 0);
  EXPECT_TRUE(batches[1].write);
  EXPECT_DOUBLE_EQ(batches[1].sectors, 16);
}

TEST(ProfiledKernel, ColdCodeAndPagesCostOnce) {
  // 40 + 50 instructions x 3 + one first touch.
  EXPECT_DOUBLE_EQ(work_of(profiled_kernel(vector_add(), gpu_of_ten())).once_cycles, 290);
}

TEST(ProfiledKernel, DependentLoadsCostARoundTripEach) {
  nsight::ProfiledKernel kernel = vector_add();
  kernel.name = "softmax_warp_forward";
  EXPECT_DOUBLE_EQ(work_of(profiled_kernel(kernel, gpu_of_ten())).wave_cycles, 500);
}

TEST(ProfiledKernel, AnswersInTheReportChangeNothing) {
  nsight::ProfiledKernel kernel = vector_add();
  const program::Kernel before = profiled_kernel(kernel, gpu_of_ten());
  for (const char* answer :
       {"gpu__time_duration.sum", "sm__cycles_elapsed.sum", "smsp__cycles_active.sum",
        "sm__throughput.avg.pct_of_peak_sustained_elapsed", "smsp__issue_active.sum"}) {
    kernel.metrics[answer] = 12'345;
  }
  EXPECT_EQ(work_of(profiled_kernel(kernel, gpu_of_ten())), work_of(before));
}

TEST(ProfiledKernel, MissingCountsAreNamed) {
  nsight::ProfiledKernel kernel = vector_add();
  kernel.metrics.erase("smsp__inst_executed.sum");
  try {
    profiled_kernel(kernel, gpu_of_ten());
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "metric smsp__inst_executed.sum is missing");
  }
}

// Nothing was counted there, which is not the same as nothing.
TEST(ProfiledKernel, BytesThatWereNotCountedAreNotTakenAsNone) {
  nsight::ProfiledKernel kernel = vector_add();
  kernel.metrics.erase("dram__bytes_read.sum");
  kernel.metrics.erase("lts__t_bytes.sum");
  try {
    profiled_kernel(kernel, gpu_of_ten());
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "metrics lts__t_bytes.sum, dram__bytes_read.sum are missing");
  }
}

TEST(ProfiledKernel, CountersWithoutWhichAPartIsUnknownAreListed) {
  nsight::ProfiledKernel kernel = vector_add();
  for (const char* key :
       {"sm__inst_executed_pipe_fma.sum", "sm__inst_executed_pipe_alu.sum",
        "sm__inst_executed_pipe_fp64.sum", "sm__inst_executed_pipe_tensor.sum",
        "l1tex__data_bank_conflicts_pipe_lsu.sum", "l1tex__t_sector_hit_rate.pct"}) {
    kernel.metrics[key] = 0;
  }
  EXPECT_EQ(nsight::unknown_parts(kernel),
            (std::vector<std::string>{"sm__inst_executed_pipe_xu.sum", "dram__bytes_write.sum"}));
}

TEST(SourceStructure, IsTakenFromTheName) {
  EXPECT_EQ(nsight::source_structure("sm90_xmma_gemm_bf16").pattern,
            nsight::LoadPattern::kPipeline);
  const nsight::SourceStructure loop =
      nsight::source_structure("void elementwise_kernel<128, 4, f>");
  EXPECT_EQ(loop.pattern, nsight::LoadPattern::kElementLoop);
  EXPECT_DOUBLE_EQ(loop.elements, 4);
  EXPECT_EQ(nsight::source_structure("my_own_kernel").pattern, nsight::LoadPattern::kBatches);
}

TEST(MatrixInstructions, TakeTheirCyclesFromTheTile) {
  // 64 x 256: n is 256, half a cycle a column.
  const nsight::MatrixInstructions wide =
      nsight::matrix_instructions("nvjet_tst_64x256_64x4_h_bz_TNN");
  EXPECT_TRUE(wide.warp_group);
  EXPECT_DOUBLE_EQ(wide.cycles, 128);
  EXPECT_FALSE(nsight::matrix_instructions("ampere_s16816gemm_bf16").warp_group);
}

}  // namespace
}  // namespace septet::testing
