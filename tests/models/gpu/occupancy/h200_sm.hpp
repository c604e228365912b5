// One SM of an H200, and launches of one dimension, for the tests of this folder.
#pragma once

#include <cstdint>

#include "models/gpu/gpu_spec.hpp"
#include "models/program/kernel.hpp"

namespace septet::testing {

// Source: CUDA programming guide, compute capability 9.0.
inline gpu::SmSpec h200_sm() {
  gpu::SmSpec sm;
  sm.max_warps = 64;
  sm.max_blocks = 32;
  sm.max_threads_per_block = 1024;
  sm.registers = 65536;
  sm.max_registers_per_thread = 255;
  sm.register_allocation_unit = 256;
  sm.warp_allocation_granularity = 4;
  sm.shared_memory = 228_KiB;
  sm.shared_per_block_max = 227_KiB;
  sm.shared_reserved_per_block = 1_KiB;
  sm.shared_allocation_unit = 128_B;
  sm.shared_carveouts = {0_KiB,   8_KiB,   16_KiB,  32_KiB,  64_KiB,
                         100_KiB, 132_KiB, 164_KiB, 196_KiB, 228_KiB};
  return sm;
}

inline program::LaunchShape shape(std::uint32_t registers, std::uint32_t threads,
                                  Bytes dynamic_shared = {}, Bytes static_shared = {}) {
  program::LaunchShape out;
  out.block = {threads, 1, 1};
  out.registers_per_thread = registers;
  out.dynamic_shared = dynamic_shared;
  out.static_shared = static_shared;
  return out;
}

}  // namespace septet::testing
