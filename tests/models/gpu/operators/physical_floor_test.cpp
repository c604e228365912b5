#include "models/gpu/operators/physical_floor.hpp"

#include <gtest/gtest.h>

#include "models/gpu/operators/library_kernels.hpp"
#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

gpu::GpuSpec floor_gpu() {
  gpu::GpuSpec gpu = operator_gpu();  // 10 SMs at 1 GHz
  gpu.l2 = Bytes(1'000'000);
  gpu.memory_bandwidth = ByteRate(1e12);
  return gpu;
}

TEST(PhysicalFloor, OfALargeProductIsThatOfThePeakAtTheClock) {
  const program::Gemm gemm{.m = 1024, .n = 1024, .k = 1024};
  const gpu::GpuSpec gpu = floor_gpu();
  const double seconds = 2.0 * 1024 * 1024 * 1024 / (1024 * 10 * 1e9);
  EXPECT_EQ(physical_floor(gpu, gemm, gpu.clock), from_seconds(seconds));
  EXPECT_EQ(physical_floor(gpu, gemm, gpu.clock * 0.5), from_seconds(2 * seconds));
}

TEST(PhysicalFloor, OfASumIsThatOfTheBytesThatNoCacheHolds) {
  const gpu::GpuSpec gpu = floor_gpu();
  program::Elementwise sum{.elements = 1e6, .inputs = 2};
  // 4 MB in; of 2 MB out the L2 cache holds one.
  EXPECT_EQ(physical_floor(gpu, sum, gpu.clock), from_seconds(5e6 / 1e12));
  sum.state.l2_hit = 0.5;
  EXPECT_EQ(physical_floor(gpu, sum, gpu.clock), from_seconds(3e6 / 1e12));
}

TEST(PhysicalFloor, HoldsBackAModelThatWouldBeFaster) {
  gpu::GpuSpec gpu = floor_gpu();
  gpu.memory_bandwidth = ByteRate(1e9);  // far less than what the model takes for granted
  const program::OperatorWork work{program::Gemm{.m = 128, .n = 128, .k = 128}};
  const gpu::OperatorTime time = operator_time(gpu, work);
  EXPECT_EQ(time.time, physical_floor(gpu, work.what, time.clock));
}

}  // namespace
}  // namespace septet::testing
