// Kernels that share the GPU: one solution for the shared resources, recomputed whenever a kernel
// starts or ends or its SM resources change; in between all progress at constant rates.
//
// Each running kernel i asks for C_i + L_i + queues(rho) = T_i with common rho = sum(use_i / T_i)
// of DRAM and L2 (memory_balance.hpp). Blocks of two grids meet on SMs when there are more of them
// than SMs (each block goes to the emptiest SM); there the younger grid issues first, as the
// schedulers' greedy-then-youngest order does, and the older one's C is divided by what is left of
// the issue slots. Kernels of several segments share through the longest one. A grid that has room
// for a part of its blocks only takes the iteration of that many, more often. Validated against
// group mix.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/kernel/kernel_time.hpp"
#include "models/gpu/kernel/memory_balance.hpp"

namespace septet::gpu {

// A kernel as others feel it.
struct SharedKernel {
  double blocks = 0;      // resident
  double busy_share = 0;  // of its time alone for which it keeps the issue slots busy
  double alone = 0;       // cycles of one iteration without interference
  MemoryLoad load;
};

// With all the room that it can use.
SharedKernel shared_kernel(const GpuSpec& gpu, const program::LaunchShape& shape,
                           const program::InstructionWork& work);
// With `blocks` resident of the `wanted` that would be if there were room for them; `alone` is then
// the iteration of all times the share of blocks, so that its ratio to the period is that of the
// times.
SharedKernel shared_kernel(const GpuSpec& gpu, const program::LaunchShape& shape,
                           const program::InstructionWork& work, double blocks, double wanted);

// One that runs; `sms`: how many SMs it may use, `group`: kernels of different groups use different
// SMs and never meet; 0 meets all.
struct Sharer {
  const SharedKernel* kernel = nullptr;
  std::uint32_t sms = 0;
  std::uint32_t group = 0;
  double slow_down = 1;  // the answer
};

class Sharing {
 public:
  explicit Sharing(const GpuSpec& gpu) : gpu_(gpu), balance_(gpu.kernel.memory.queue_power) {}

  // By how much each of `sharers`, oldest first, is slowed by the others: 1 alone.
  void solve(std::vector<Sharer>& sharers);

 private:
  double taken_by_younger(const Sharer& sharer) const;
  void add_younger(const Sharer& sharer);
  std::size_t load_of(const SharedKernel& kernel, double taken);

  struct Together {  // equal kernels of which others take equally much
    const SharedKernel* kernel = nullptr;
    double taken = 0;
  };

  const GpuSpec& gpu_;
  MemoryBalance balance_;
  // Of one solution; members so that it allocates nothing.
  std::vector<Together> together_;
  std::vector<BalancedLoad> loads_;  // one for each of `together_`
  std::vector<std::size_t> load_by_sharer_;
  std::vector<Sharer> younger_;  // those that no other one exceeds
};

}  // namespace septet::gpu
