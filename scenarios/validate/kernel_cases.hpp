// The kernels of the measuring programs, and the Programs around them.
#pragma once

#include "models/gpu/kernel/kernel_time.hpp"
#include "scenarios/validate/case_run.hpp"

namespace septet::validation {

// A kernel of the row's grid, block, registers and shared memory that runs `segments`.
program::Kernel described_kernel(const MeasuredRow& row, std::vector<program::Segment> segments);

// A grid-stride loop over buffers: each warp issues `unroll` loads of `vec` bytes a thread, waits
// for them, and writes as many where `write`. `instructions`: of one iteration, all of them.
struct StreamLoop {
  double vec = 16;
  double unroll = 1;
  double instructions = 0;
  double l2_hit = 0;
  bool write = false;
};
program::Segment stream_segment(const StreamLoop& loop, double iterations);

// A grid-stride loop in which each 16-byte load feeds `fma` multiply-adds in four chains; `other`
// instructions besides.
program::Segment roofline_segment(double bytes, double threads_of_grid, double fma, double other);

// Iterations of a grid-stride loop in which each thread of the grid reads vec x unroll bytes.
double loop_iterations(double bytes, const StreamLoop& loop, double threads_of_grid);

// Between two event records around `launches` launches of the kernel.
Prediction device_time(const program::Kernel& kernel, const system::SystemSpec& system,
                       std::int64_t launches = 1);

// The SM clock of a kernel's own work: without the creation of blocks.
Prediction own_cycles(const program::Kernel& kernel, const system::SystemSpec& system);

std::vector<CaseKind> memory_cases();
std::vector<CaseKind> compute_cases();
std::vector<CaseKind> roofline_cases();
std::vector<CaseKind> mix_cases();
std::vector<CaseKind> claim_cases();
std::vector<CaseKind> profile_cases();
std::vector<CaseKind> op_cases();
std::vector<CaseKind> power_cases();

}  // namespace septet::validation
