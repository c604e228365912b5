// Time of a kernel alone on the GPU, composed from the stages by interval analysis.
//
// One iteration of a segment on the busiest SM:
//   C = max(chain, busy - hidden + (chain - own issue)) + exposed + fetch      without memory:
//   T = max(chain, busy) + exposed + fetch                                     T = C + L + queues
// and at least the asynchronous tensor work. A grid that fits at once takes the sum of its
// segments, the extra time of its first iteration because all loads arrive together, and the
// dispatch of its blocks. With more waves: long segments by whole waves, the last one with fewer
// warps per SM; blocks with few iterations drift apart, so their segments become one iteration and
// the grid takes blocks / slots of it, combined with dispatch, which keeps fewer blocks resident
// where it is the limit.
//
// Each function is pure. Validated against the groups memory, compute, roofline and claim.
#pragma once

#include <array>

#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/kernel/memory.hpp"
#include "models/program/kernel.hpp"

namespace septet::gpu {

// Breakdown of one iteration or of a kernel, in SM cycles.
struct CycleParts {
  double issue = 0;       // issue slots and pipes that are busy
  double dependency = 0;  // the chain beyond that
  double fetch = 0;
  double memory = 0;  // waiting for memory
  constexpr CycleParts& operator+=(const CycleParts& other) {
    issue += other.issue;
    dependency += other.dependency;
    fetch += other.fetch;
    memory += other.memory;
    return *this;
  }
  friend constexpr CycleParts operator*(CycleParts parts, double times) {
    return {parts.issue * times, parts.dependency * times, parts.fetch * times,
            parts.memory * times};
  }
};

struct Iteration {
  double cycles = 0;
  CycleParts parts;
  Busy busy;
  MemoryLoad load;  // where the segment touches memory
  Bottleneck limiter = Bottleneck::kIssue;
};

// One iteration with `warps_sm` warps on the busiest SM and `warps_gpu` on the GPU. `life`: cycles
// that the start and end of a block add to each iteration.
Iteration iteration_of(const GpuSpec& gpu, const program::Segment& segment, double warps_sm,
                       double warps_gpu, double life = 0);

// Extra time of the first iteration over `iteration`: all loads arrive at once, then all writes.
double first_iteration_extra(const GpuSpec& gpu, const program::Segment& segment, double warps_gpu,
                             const Iteration& iteration);

struct KernelTime {
  Duration total{};     // first block created to last block ended
  Duration dispatch{};  // of it: dispatch of blocks not hidden by work
  Duration creation{};  // ramp, and block turnover
  Duration fetch{};
  Duration issue{};       // issue slots and pipes
  Duration dependency{};  // waiting for results of the own warp's instructions
  Duration memory{};
  Bottleneck limiter = Bottleneck::kIssue;
  program::Pipe pipe = program::Pipe::kOther;  // limiter == kPipe: which
  double waves = 0;
  std::uint32_t blocks_per_sm = 0;  // that can be resident
  // Use of resources over the kernel, 0 to 1.
  Utilization use;
  double issue_use = 0;
  double dram_bytes = 0;
};

// Throws ModelError naming the limit if not even one block fits on an SM, or if the time is more
// than 1e6 s.
KernelTime kernel_time(const GpuSpec& gpu, const program::LaunchShape& shape,
                       const program::InstructionWork& work);

}  // namespace septet::gpu
