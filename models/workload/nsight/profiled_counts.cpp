#include "models/workload/nsight/profiled_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace septet::nsight {
namespace {

constexpr double kWarpSize = 32;
constexpr double kSubCores = 4;           // smsp__ metrics are of sub-cores
constexpr double kReservedShared = 1024;  // in what was allocated

// Without one of these nothing can be said of a kernel: what was not counted is not zero.
constexpr std::array kNeeded = {
    "launch__grid_size",       "launch__block_size", "launch__registers_per_thread",
    "smsp__inst_executed.sum", "l1tex__t_bytes.sum", "lts__t_bytes.sum",
    "dram__bytes_read.sum"};

// Without these a part of the time is unknown.
constexpr std::array kParts = {"sm__inst_executed_pipe_fma.sum",
                               "sm__inst_executed_pipe_alu.sum",
                               "sm__inst_executed_pipe_fp64.sum",
                               "sm__inst_executed_pipe_lsu.sum",
                               "sm__inst_executed_pipe_tensor.sum",
                               "sm__inst_executed_pipe_xu.sum",
                               "l1tex__data_bank_conflicts_pipe_lsu.sum",
                               "l1tex__t_sector_hit_rate.pct",
                               "dram__bytes_write.sum"};

template <class Keys>
std::vector<std::string> missing(const ProfiledKernel& kernel, const Keys& keys) {
  std::vector<std::string> out;
  for (const char* key : keys) {
    if (!kernel.metric(key)) out.emplace_back(key);
  }
  return out;
}

void check_counters(const ProfiledKernel& kernel) {
  const std::vector<std::string> absent = missing(kernel, kNeeded);
  if (absent.empty()) return;
  throw ModelError(fmt::format("metric{} {} {} missing", absent.size() == 1 ? "" : "s",
                               fmt::join(absent, ", "), absent.size() == 1 ? "is" : "are"));
}

double needed(const ProfiledKernel& kernel, const char* key) { return *kernel.metric(key); }

double shared_of(const ProfiledKernel& kernel) {
  const auto parts = kernel.metric("launch__shared_mem_per_block_static");
  if (parts) return *parts + kernel.metric_or("launch__shared_mem_per_block_dynamic", 0);
  const double allocated =
      kernel.metric_or("launch__shared_mem_per_block_allocated", kReservedShared);
  return std::max(0.0, allocated - kReservedShared);
}

}  // namespace

std::vector<std::string> unknown_parts(const ProfiledKernel& kernel) {
  return missing(kernel, kParts);
}

ProfiledCounts counts_of(const ProfiledKernel& kernel, std::uint32_t sm_count) {
  check_counters(kernel);
  ProfiledCounts out;
  out.blocks = needed(kernel, "launch__grid_size");
  out.threads = needed(kernel, "launch__block_size");
  if (out.blocks < 1 || out.threads < 1) throw ModelError("no blocks or no threads");
  out.warps_per_block = std::ceil(out.threads / kWarpSize);
  out.registers = needed(kernel, "launch__registers_per_thread");
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
  out.l1_bytes = needed(kernel, "l1tex__t_bytes.sum");
  out.l1_bytes_busiest =
      std::max(out.l1_bytes / out.warps, kernel.metric_or("l1tex__t_bytes.max", 0) / busiest_warps);
  out.l1_hit = kernel.metric_or("l1tex__t_sector_hit_rate.pct", 0) / 100;
  out.l2_bytes = needed(kernel, "lts__t_bytes.sum");
  out.dram_read = needed(kernel, "dram__bytes_read.sum");
  out.dram_write = kernel.metric_or("dram__bytes_write.sum", 0);
  return out;
}

}  // namespace septet::nsight
