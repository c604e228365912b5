// Kernels that share the GPU: one solution of the shared resources, found anew whenever a kernel
// starts or ends; in between all progress at constant rates.
//
// Each running kernel i asks for C_i + L_i + queues(rho) = T_i with common rho = sum(use_i / T_i)
// of DRAM and L2, found by bisection of one after the other. Blocks of two grids meet on SMs when
// there are more of them than SMs (each block goes to the emptiest SM); there the younger grid
// issues first, as the schedulers' greedy-then-youngest order does, and the older one's C is
// divided by what is left of the issue slots. Kernels of several segments share through the longest
// one. Validated against group mix.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/kernel/kernel_time.hpp"

namespace septet {

// A kernel as others feel it.
struct SharedKernel {
  double blocks = 0;
  double busy_share = 0;  // of its time alone for which it keeps the issue slots busy
  double alone = 0;       // cycles of one turn when it has the GPU for itself
  MemoryLoad load;
};

SharedKernel shared_kernel(const GpuSpec& gpu, const LaunchShape& shape,
                           const InstructionWork& work);

// By how much each of `kernels`, oldest first, is slowed by the others: 1 alone, larger together.
std::vector<double> slow_downs(const GpuSpec& gpu, const std::vector<SharedKernel>& kernels);

}  // namespace septet
