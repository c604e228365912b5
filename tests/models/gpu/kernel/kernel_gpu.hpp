// A GPU of round numbers for tests of the kernel model: 10 SMs at 1 GHz, so that a cycle is 1 ns.
#pragma once

#include "models/gpu/gpu_spec.hpp"
#include "models/program/kernel.hpp"

namespace septet::testing {

inline gpu::GpuSpec round_gpu() {
  gpu::GpuSpec gpu;
  gpu.sm_count = 10;
  gpu.clock = Frequency(1e9);
  gpu.sm.shared_memory = Bytes(100 * 1024);
  gpu.sm.shared_per_block_max = Bytes(99 * 1024);
  gpu.sm.shared_reserved_per_block = Bytes(1024);
  gpu.sm.shared_allocation_unit = Bytes(128);
  gpu.sm.shared_carveouts = {Bytes(100 * 1024)};
  gpu::KernelSpec& kernel = gpu.kernel;
  kernel.fetch = {Bytes(1600), Bytes(16'000), 3.0, 6.0, 1.5, 16.0};
  kernel.issue.schedulers = 4;
  for (gpu::PipeSpec& pipe : kernel.pipes) pipe = {1.0, 0.0, 4.0};
  kernel.pipes[static_cast<std::size_t>(program::Pipe::kFp64)] = {2.0, 0.0, 8.0};
  gpu::MemorySpec& memory = kernel.memory;
  memory.l1_latency = 30;
  memory.shared_latency = 30;
  memory.l2_latency = 200;
  memory.dram_latency = 500;
  memory.tlb_reach = Bytes(1'000'000);
  memory.tlb_miss_cycles = 100;
  memory.warp_port_bytes = 64;
  memory.sm_port_bytes = 128;
  memory.l1_bytes = 128;
  memory.l2_bandwidth = ByteRate(1e12);    // 1000 bytes a cycle
  memory.dram_bandwidth = ByteRate(1e11);  // 100 bytes a cycle
  memory.dram_row = Bytes(1024);
  memory.l2_lone_sector_bytes = 32;
  memory.queue_power = 1;
  memory.l1_capacity = Bytes(100'000);
  memory.l1_edge = Bytes(1'000);
  memory.l2_capacity = Bytes(10'000'000);
  memory.l2_edge = Bytes(100'000);
  return gpu;
}

inline program::LaunchShape shape_of(std::uint32_t blocks, std::uint32_t threads) {
  program::LaunchShape shape;
  shape.grid.x = blocks;
  shape.block.x = threads;
  return shape;
}

}  // namespace septet::testing
