// The GPU of round numbers (10 SMs at 1 GHz) with tensor cores, for tests of operators. A sharp
// norm makes a step the largest of its parts; all costs beside the main loop are 0.
#pragma once

#include "tests/models/gpu/kernel/kernel_gpu.hpp"

namespace septet::testing {

inline gpu::GpuSpec operator_gpu() {
  gpu::GpuSpec gpu = round_gpu();
  gpu.tensor.bf16_flops = 1024;
  gpu.tensor.fp8_flops = 2048;
  gpu.tensor.fp32_flops = 256;
  gpu.tensor.shared_bytes = 128;
  gpu.tensor.mma_rows = 64;
  gpu.tensor.accumulator = 32768;
  gpu.operators.pipeline.copy_bytes = 64;
  gpu.operators.pipeline.step_cycles = 100;
  gpu.operators.pipeline.overlap_norm = 500;
  gpu.operators.mma.flops = 1e6;
  gpu.operators.gemm.window_bytes = 64;
  gpu.operators.cudnn.softmax_per_cycle = 16;
  gpu.operators.cudnn.decode_copy_bytes = 32;
  gpu.operators.flash3.softmax_per_cycle = 16;
  gpu.operators.flash3.row_bytes = 16;
  gpu.power.limit = Power(1000);
  gpu.power.clock_step = 10_MHz;
  gpu.power.settle_time = 10_ms;
  return gpu;
}

// The same with an L2 cache and a DRAM that are never in the way.
inline gpu::GpuSpec fast_memory_gpu() {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.kernel.memory.l2_bandwidth = ByteRate(1e15);
  gpu.kernel.memory.dram_bandwidth = ByteRate(1e15);
  gpu.operators.pipeline.copy_bytes = 1e4;
  return gpu;
}

inline double cycles_of(Duration time) { return to_us(time) * 1e3; }

}  // namespace septet::testing
