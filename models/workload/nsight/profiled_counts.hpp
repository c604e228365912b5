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

// Throws ModelError naming the metric where one that nothing can replace is missing.
ProfiledCounts counts_of(const ProfiledKernel& kernel, std::uint32_t sm_count);

}  // namespace septet::nsight
