// The parameters of a GPU that the kernel model needs beyond those of stages 1 to 3. Immutable;
// values and sources are in `data/`. Cycles are those of the SM clock.
#pragma once

#include <array>
#include <cstddef>

#include "core/base/quantity.hpp"
#include "models/program/instruction_work.hpp"

namespace septet::gpu {

// One execution pipe.
struct PipeSpec {
  double interval = 1;  // cycles between warp instructions on one scheduler's part
  double sm_interval =
      0;               // cycles between warp instructions on the part that the SM shares; 0: none
  double latency = 0;  // cycles until a dependent instruction can issue
};

// Stages 3 and 4: start and end of a block, instruction fetch.
struct BlockLifeSpec {
  Duration ramp{};             // first block created to its first instruction, last one's end seen
  double turnover_cycles = 0;  // from the end of a block to the first load of its successor
  double turnover_cycles_per_warp = 0;
  Duration grid_sync{};            // grid-wide barrier of a cooperative grid
  Duration grid_sync_per_block{};  // added for each block beyond the first
};

struct FetchSpec {
  Bytes l0{};                  // largest loop that is not fetched again
  Bytes l15{};                 // capacity of the SM's instruction cache
  double cycles_from_l15 = 0;  // between instructions that come from there, in order
  double cycles_from_l2 = 0;   // between instructions that come from the L2 cache
  double drift = 1;            // loops from the SM's cache: schedulers fall out of step
  double instruction_bytes = 16;
};

// Stage 5.
struct IssueSpec {
  std::uint32_t schedulers = 4;  // schedulers of an SM, each issuing one warp instruction per cycle
  double branch_cycles = 0;      // bubble of a taken branch
  double indirect_branch_cycles = 0;
  double spread_hide_cycles =
      0;  // how far warps of a scheduler drift apart while hiding memory latency
  double leftover_issue = 0;  // issue left to an older grid by a younger one that is busy
};

// Stage 7.
struct MemorySpec {
  double l1_latency = 0;  // cycles, as the next four
  double shared_latency = 0;
  double l2_latency = 0;
  double dram_latency = 0;
  double stream_conflict_cycles = 0;  // loads of many SMs from neighbouring rows
  double dram_spread_cycles = 0;      // standard deviation of one load's latency
  double l2_spread_cycles = 0;
  Bytes tlb_reach{};
  double tlb_miss_cycles = 0;
  double warp_port_bytes = 0;  // bytes per cycle delivered to one warp
  double sm_port_bytes = 0;    // bytes per cycle from the L2 cache to one SM
  double l1_bytes = 0;         // bytes per cycle from one L1 cache
  ByteRate l2_bandwidth{};
  double l2_write_cost = 1;         // L2 time of a written byte relative to a read byte
  double l2_lone_sector_bytes = 0;  // L2 throughput that a lone sector takes
  double l2_queue_cycles = 0;       // growth of latency with load
  ByteRate dram_bandwidth{};
  double dram_turnaround = 0;  // time lost at half reads and half writes
  Duration dram_row_time{};    // exposed time to open a row
  Bytes dram_row{};
  double dram_queue_cycles = 0;
  double dram_write_queue_cycles = 0;  // more at half writes
  double port_queue_cycles = 0;        // SM port and L1 cache
  double queue_power = 1;              // latency grows as use / (1 - use)^power
  Bytes l1_capacity{};                 // working set of which repeated passes miss half
  Bytes l1_edge{};                     // standard deviation of that
  Bytes l2_capacity{};
  Bytes l2_edge{};
};

// A kernel whose code, parameters and data no cache holds, as profilers run them.
struct ColdSpec {
  double parameter_cycles = 0;    // parameters and thread indices out of the constant cache
  double fetch_cycles = 0;        // per instruction of straight-line code, with prefetch
  double first_touch_cycles = 0;  // added to the first load of a page
  Duration neighbour_start{};  // a kernel's start lengthens each that runs, by what it loads again
  Duration profiler_time{};    // what Nsight Compute's clock adds to a kernel
};

struct KernelSpec {
  BlockLifeSpec block;
  ColdSpec cold;
  FetchSpec fetch;
  IssueSpec issue;
  std::array<PipeSpec, kEnumSize<program::Pipe>> pipes{};
  MemorySpec memory;

  const PipeSpec& pipe(program::Pipe pipe) const { return pipes[static_cast<std::size_t>(pipe)]; }
};

}  // namespace septet::gpu
