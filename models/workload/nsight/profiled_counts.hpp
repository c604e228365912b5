// The metrics that describe a profiled kernel: launch, instruction counts, bytes, hit rates.
// Durations, cycles, stalls and percentages of peak are results and never read.
#pragma once

#include "models/workload/nsight/nsight_report.hpp"

namespace septet::nsight {

struct ProfiledCounts {
  double blocks = 0;
  double threads = 0;  // of a block
  double warps_per_block = 0;
  double registers = 0;
  double shared_bytes = 0;  // of a block, as asked
  double warps = 0;         // of the grid
  // Per warp of the busiest SM.
  double instructions = 0;
  double fma = 0;
  double alu = 0;
  double fp64 = 0;
  double lsu = 0;
  double tensor = 0;
  double sfu = 0;
  double bank_conflicts = 0;
  double l1_bytes_busiest = 0;
  // Of the kernel.
  double l1_bytes = 0;
  double l1_hit = 0;  // 0 to 1
  double l2_bytes = 0;
  double dram_read = 0;
  double dram_write = 0;
};

// Counters of instructions on pipes, bank conflicts, L1 hits and writes that the report doesn't
// have: counts_of takes them as 0, and their part of the time is unknown.
std::vector<std::string> unknown_parts(const ProfiledKernel& kernel);

// Throws ModelError naming the metrics where some are missing that nothing can replace: launch,
// instructions, bytes of L1 and L2, bytes read from DRAM.
ProfiledCounts counts_of(const ProfiledKernel& kernel, std::uint32_t sm_count);

}  // namespace septet::nsight
