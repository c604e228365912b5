#include "models/workload/nsight/profiled_counts.hpp"

#include <algorithm>
#include <cmath>

namespace septet::nsight {
namespace {

constexpr double kWarpSize = 32;
constexpr double kSubCores = 4;           // smsp__ metrics are of sub-cores
constexpr double kReservedShared = 1024;  // in what was allocated

double needed(const ProfiledKernel& kernel, const char* key) {
  const auto value = kernel.metric(key);
  if (!value) throw ModelError(std::string("metric ") + key + " is missing");
  return *value;
}

double shared_of(const ProfiledKernel& kernel) {
  const auto parts = kernel.metric("launch__shared_mem_per_block_static");
  if (parts) return *parts + kernel.metric_or("launch__shared_mem_per_block_dynamic", 0);
  const double allocated =
      kernel.metric_or("launch__shared_mem_per_block_allocated", kReservedShared);
  return std::max(0.0, allocated - kReservedShared);
}

}  // namespace

ProfiledCounts counts_of(const ProfiledKernel& kernel, std::uint32_t sm_count) {
  ProfiledCounts out;
  out.blocks = needed(kernel, "launch__grid_size");
  out.threads = needed(kernel, "launch__block_size");
  if (out.blocks < 1 || out.threads < 1) throw ModelError("no blocks or no threads");
  out.warps_per_block = std::ceil(out.threads / kWarpSize);
  out.registers = kernel.metric_or("launch__registers_per_thread", kWarpSize);
  out.shared_bytes = shared_of(kernel);
  out.warps = out.blocks * out.warps_per_block;
  const double busiest_warps = std::ceil(out.blocks / sm_count) * out.warps_per_block;
  const double average = needed(kernel, "smsp__inst_executed.sum") / out.warps;
  const double busiest = kernel.metric_or("smsp__inst_executed.max", 0) * kSubCores / busiest_warps;
  // With fewer warps than sub-cores the busiest sub-core says nothing about the others.
  out.instructions = out.warps_per_block >= kSubCores ? std::max(average, busiest) : average;
  const double skew = average > 0 ? out.instructions / average : 1.0;
  const auto per_warp = [&](const char* key) {
    return kernel.metric_or(key, 0) / out.warps * skew;
  };
  out.fma = per_warp("sm__inst_executed_pipe_fma.sum");
  out.alu = per_warp("sm__inst_executed_pipe_alu.sum");
  out.fp64 = per_warp("sm__inst_executed_pipe_fp64.sum");
  out.lsu = per_warp("sm__inst_executed_pipe_lsu.sum");
  out.tensor = per_warp("sm__inst_executed_pipe_tensor.sum");
  out.sfu = per_warp("sm__inst_executed_pipe_xu.sum");
  out.bank_conflicts = per_warp("l1tex__data_bank_conflicts_pipe_lsu.sum");
  out.l1_bytes = kernel.metric_or("l1tex__t_bytes.sum", 0);
  out.l1_bytes_busiest =
      std::max(out.l1_bytes / out.warps, kernel.metric_or("l1tex__t_bytes.max", 0) / busiest_warps);
  out.l1_hit = kernel.metric_or("l1tex__t_sector_hit_rate.pct", 0) / 100;
  out.l2_bytes = kernel.metric_or("lts__t_bytes.sum", 0);
  out.dram_read = kernel.metric_or("dram__bytes_read.sum", 0);
  out.dram_write = kernel.metric_or("dram__bytes_write.sum", 0);
  return out;
}

}  // namespace septet::nsight
