#include "scenarios/explain/elasticity.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/scenarios/explain/described_kernels.hpp"

namespace septet::testing {
namespace {

double of(const std::vector<double>& elasticities, const std::string& name) {
  for (std::size_t g = 0; g < elasticities.size(); ++g) {
    if (explain::hardware_groups()[g].name == name) return elasticities[g];
  }
  ADD_FAILURE() << "no group " << name;
  return 0;
}

TEST(Elasticities, DivideASumAsItsTermsDo) {
  // 3 us of ramp and 9 us of data, 9e6 bytes at 1e12 bytes a second: a quarter and three quarters.
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.block.ramp = Duration(3'000'000);
  gpu.kernel.memory.dram_bandwidth = ByteRate(1e12);
  const auto time_on = [](const gpu::GpuSpec& g) {
    return g.kernel.block.ramp + from_seconds(9e6 / g.kernel.memory.dram_bandwidth.count());
  };
  const std::vector<double> all = explain::elasticities(gpu, time_on);
  EXPECT_NEAR(of(all, "start and end of blocks"), 0.25, 1e-4);
  EXPECT_NEAR(of(all, "DRAM bandwidth"), 0.75, 1e-4);
  EXPECT_NEAR(std::accumulate(all.begin(), all.end(), 0.0), 1.0, 1e-4);
  const explain::BoundShares shares = explain::bound_shares(all);
  EXPECT_NEAR(shares.memory, 0.75, 1e-4);
  EXPECT_NEAR(shares.compute, 0.0, 1e-12);
  EXPECT_NEAR(shares.latency, 0.25, 1e-4);
}

TEST(Elasticities, OfTheLargerOfTwoAreItsAlone) {
  const auto time_on = [](const gpu::GpuSpec& g) {
    return std::max(g.kernel.block.ramp, g.block_scheduler.block_interval);
  };
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.block.ramp = Duration(1'000'000);
  gpu.block_scheduler.block_interval = Duration(2'000'000);
  const std::vector<double> all = explain::elasticities(gpu, time_on);
  EXPECT_NEAR(of(all, "dispatch"), 1.0, 1e-4);
  EXPECT_NEAR(of(all, "start and end of blocks"), 0.0, 1e-12);
}

TEST(BoundShares, OfAChainFullSlotsAndAStreamAreWhole) {
  // One warp of 10 instructions in a chain of 400 cycles: more instructions cost nothing.
  const explain::BoundShares chain =
      bound_shares(round_gpu(), kernel_of(shape_of(1, 32), 100, 10, 400));
  EXPECT_NEAR(chain.latency, 1.0, 1e-6);
  // 64 warps of 100 instructions an SM, no chain: time is that of the slots.
  const explain::BoundShares slots =
      bound_shares(round_gpu(), kernel_of(shape_of(20, 1024), 100, 100, 0));
  EXPECT_NEAR(slots.compute, 1.0, 1e-3);
  EXPECT_NEAR(slots.memory, 0.0, 1e-6);
  const explain::BoundShares stream =
      bound_shares(round_gpu(), kernel_of(shape_of(20, 1024), 100, 1, 1, {dense(16, 8)}));
  EXPECT_GT(stream.memory, 0.9);
}

}  // namespace
}  // namespace septet::testing
