// The round system with a kernel model: 4 SMs at 1 GHz, so that a cycle is 1 ns.
#pragma once

#include "tests/models/gpu/kernel/kernel_gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {

inline system::SystemSpec modelled_system() {
  system::SystemSpec system = round_system();
  const gpu::GpuSpec model = testing::round_gpu();
  system.gpu.clock = model.clock;
  system.gpu.kernel = model.kernel;
  return system;
}

// Its warps wait for results all the time: a wave takes `turns` times 1 us, however many they are.
inline program::Kernel waiting_kernel(std::uint64_t blocks, std::uint32_t threads, double turns) {
  program::Kernel kernel = program::spin_kernel(blocks, threads, Duration(0));
  program::Segment segment;
  segment.repeat = turns;
  segment[program::Pipe::kFma] = 1;
  segment.chain_cycles = 1000;
  kernel.work = program::InstructionWork{{segment}};
  return kernel;
}

// Each of its 32 warps a block reads 8 lines of 128 bytes, waits for them and then for 1 us.
inline program::Kernel reading_kernel(std::uint64_t blocks, double turns) {
  program::Kernel kernel = waiting_kernel(blocks, 1024, turns);
  program::MemoryBatch batch;
  batch.requests = 8;
  std::get<program::InstructionWork>(kernel.work).segments[0].batches = {batch};
  return kernel;
}

}  // namespace septet::test
