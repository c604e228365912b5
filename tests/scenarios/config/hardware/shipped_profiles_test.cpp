// The profiles that come with Septet.
#include <map>
#include <string>

#include "scenarios/config/hardware/profile.hpp"
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

TEST(Profile, ThatWasNotMeasuredSaysSo) {
  const auto warned = [](const char* name) {
    return !profile_warnings(shipped_profiles().find(ProfileKind::kGpu, name, {}, "gpu")).empty();
  };
  for (const char* name : {"a10", "a100-sxm-40gb", "a100-sxm-80gb", "b200-sxm", "gb200", "l4",
                           "l40s", "rtx-4090", "rtx6000-ada", "rtxpro6000", "t4", "v100-sxm"}) {
    EXPECT_TRUE(warned(name)) << name;
  }
  for (const char* name : {"gh200-96gb", "h100-sxm", "h200-sxm"})
    EXPECT_FALSE(warned(name)) << name;
}

TEST(Profile, IsFoundByNameAndByAlias) {
  for (const char* name : {"h200-sxm", "NVIDIA H200", "nvidia h200", "H200"}) {
    EXPECT_EQ(shipped_profiles().find(ProfileKind::kGpu, name, {}, "gpu").name, "h200-sxm");
  }
}

TEST(Profile, ListsNearMissesOfAnUnknownName) {
  const Location where{"test.toml", 2, 7};
  EXPECT_EQ(mistake([&] {
              shipped_profiles().find(ProfileKind::kHost, "xeon-h20-host", where, "hardware.host");
            }),
            "test.toml:2:7: hardware.host: got \"xeon-h20-host\", wanted a host profile (" +
                host_names(shipped_profiles()) + ") (did you mean 'xeon-h200-host'?)");
}

// The data sheet's figures, typed in a second time.
TEST(Profile, OfTheH200HoldsItsDataSheet) {
  const gpu::GpuSpec gpu = gpu_spec(shipped_profiles().find(ProfileKind::kGpu, "H200", {}, "gpu"));
  EXPECT_EQ(gpu.name, "h200-sxm");
  EXPECT_EQ(gpu.sm_count, 132U);
  EXPECT_EQ(gpu.memory, Bytes(141'000'000'000));
  EXPECT_EQ(gpu.memory_bandwidth, ByteRate(4.8e12));
  EXPECT_EQ(gpu.clock, Frequency(1.98e9));
  EXPECT_EQ(gpu.front_end.max_resident_grids, 128U);
  EXPECT_EQ(gpu.sm.shared_memory, 228_KiB);
  EXPECT_EQ(gpu.sm.shared_carveouts.size(), 10U);
  EXPECT_EQ(gpu.sm.shared_carveouts.back(), gpu.sm.shared_memory);
}

// The data sheets' dense rates: SMs x clock x operations a cycle. The boost clocks that data sheets
// assume lie up to 10 % below the largest ones.
TEST(Profile, OfEveryGpuReachesItsDataSheetsRate) {
  const std::map<std::string, double> teraflops = {
      {"a100-sxm-80gb", 312}, {"h100-sxm", 989},   {"h200-sxm", 989}, {"b200-sxm", 2250},
      {"l40s", 362},          {"rtx-4090", 165.2}, {"h20", 148},      {"l4", 121},
      {"a10", 125},           {"t4", 65},          {"v100-sxm", 125}, {"a100-sxm-40gb", 312}};
  for (const auto& [name, rate] : teraflops) {
    const gpu::GpuSpec gpu = gpu_spec(shipped_profiles().find(ProfileKind::kGpu, name, {}, "gpu"));
    const double most = gpu.sm_count * gpu.clock.count() * gpu.tensor.bf16_flops / 1e12;
    EXPECT_GE(most, 0.99 * rate) << name;
    EXPECT_LE(most, 1.1 * rate) << name;
  }
}

TEST(Profile, IsFoundByTheNameThatToolsGiveTheDevice) {
  const auto found = [](const char* name) {
    return shipped_profiles().find(ProfileKind::kGpu, name, {}, "gpu").name;
  };
  EXPECT_EQ(found("NVIDIA H100 80GB HBM3"), "h100-sxm");
  EXPECT_EQ(found("NVIDIA A100-SXM4-80GB"), "a100-sxm-80gb");
  EXPECT_EQ(found("NVIDIA B200"), "b200-sxm");
  EXPECT_EQ(found("NVIDIA L40S"), "l40s");
  EXPECT_EQ(found("NVIDIA A100-SXM4-40GB"), "a100-sxm-40gb");
  EXPECT_EQ(found("NVIDIA H100 PCIe"), "h100-pcie");
  EXPECT_EQ(found("NVIDIA H100 NVL"), "h100-nvl");
  EXPECT_EQ(found("NVIDIA H20"), "h20");
  EXPECT_EQ(found("NVIDIA GH200 480GB"), "gh200-96gb");
  EXPECT_EQ(found("Tesla V100-SXM2-32GB"), "v100-sxm");
  EXPECT_EQ(found("Tesla T4"), "t4");
  EXPECT_EQ(found("NVIDIA L4"), "l4");
  EXPECT_EQ(found("NVIDIA A10"), "a10");
  EXPECT_EQ(found("NVIDIA GeForce RTX 4090"), "rtx-4090");
}

// The CUDA guide's table for compute capability 8.9, typed in a second time.
TEST(Profile, OfAdaHoldsTheLimitsOfItsComputeCapability) {
  for (const char* name : {"l40s", "rtx-4090"}) {
    const gpu::GpuSpec gpu = gpu_spec(shipped_profiles().find(ProfileKind::kGpu, name, {}, "gpu"));
    EXPECT_EQ(gpu.sm.max_warps, 48U) << name;
    EXPECT_EQ(gpu.sm.max_blocks, 24U) << name;
    EXPECT_EQ(gpu.sm.shared_memory, 100_KiB) << name;
    EXPECT_EQ(gpu.sm.shared_per_block_max, 99_KiB) << name;
    EXPECT_EQ(gpu.tensor.mma_rows, 0) << name;
  }
}

}  // namespace
}  // namespace septet::config
