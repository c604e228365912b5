// A kernel timed as a whole, by the kernel model, the operators or a recording, rather than block
// by block: its time alone, its SM resources, and its effect on others.
//
// Its blocks run in waves of as many as fit. All waves but the last use all available SM resources;
// the last one has the remaining blocks. Not modelled: blocks that drift apart and release their
// resources one by one.
#pragma once

#include "models/gpu/block_scheduler/sm_pool.hpp"
#include "models/gpu/kernel/sharing.hpp"

namespace septet::gpu {

struct TimedKernel {
  Duration alone{};  // recorded kernels: 0, each launch has its own
  BlockNeeds needs;
  std::uint64_t at_once = 1;  // blocks that can be resident
  std::uint64_t waves = 1;
  std::uint64_t last = 1;  // blocks of the last wave
  SharedKernel shared;     // with all of its blocks of a wave resident
  program::LaunchShape shape;
  program::InstructionWork work;  // no segments: the kernel model doesn't know what its warps do
};

// `kernel`: described by its instructions or an operator, on a GPU of which it may use
// `gpu.sm_count` SMs. Throws ModelError with the kernel's name where it is impossible.
TimedKernel timed_kernel(const GpuSpec& gpu, const program::Kernel& kernel);

// A kernel of which only launch and duration are known (recorded_use.hpp). One of unknown or
// impossible shape takes all SMs.
TimedKernel recorded_kernel(const GpuSpec& gpu, const program::LaunchShape& shape,
                            Duration duration);

// The kernel's effect on others while only `blocks` of the `wanted` of a wave are resident.
SharedKernel shared_with(const GpuSpec& gpu, const TimedKernel& kernel, std::uint64_t blocks,
                         std::uint64_t wanted);

}  // namespace septet::gpu
