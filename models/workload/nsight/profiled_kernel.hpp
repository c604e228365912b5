// A profiled kernel as a description for the kernel model: the values of its counters, in the
// structure inferred from its name (source_structure.hpp).
//
// Per warp of the busiest SM: reads are the larger of DRAM reads and half of the L1 traffic (nearly
// all of it where L1 traffic is far more than DRAM's), the rest writes; loads are of 16 bytes a
// thread where a memory instruction moves much, else of 4. Kernels that feed the tensor pipe by the
// tensor memory accelerator bypass L1: their bytes are what L2 saw beyond L1 and DRAM fills. Caches
// were flushed before the kernel: code, parameters and pages are cold.
//
// Assumed of compiled code, fitted on the durations of 207 kernels of GPT-2, Llama and a small
// convolutional net on an H200 (CodeAssumptions); with one of the three models left out of the fit
// the median error is 6.9 %, the 90th percentile 22 %. Off: convolutions that gather by index.
#pragma once

#include "models/gpu/gpu_spec.hpp"
#include "models/program/kernel.hpp"
#include "models/workload/nsight/source_structure.hpp"

namespace septet::nsight {

struct CodeAssumptions {
  double cycles_per_instruction = 1.84;       // of a lone warp: dependencies of straight code
  double cycles_per_loop_instruction = 2.32;  // the same once code repeats
  double unique_instructions = 1000;          // at most this many distinct ones, the rest are loops
  double unique_pipelined = 590;              // the same of software pipelines
  double tensor_efficiency = 0.875;           // share of the pipe's peak, wgmma
  double warp_tensor_efficiency = 0.55;       // the same of mma.sync
  double tma_rounds = 3.68;                   // memory round trips at the ends of a TMA pipeline
  double async_rounds = 0.12;                 // the same of a cp.async pipeline
  double profiler_l2_bytes = 0.13e6;          // instruction, page and profiler traffic in L2 counts
};

// Throws ModelError where a needed metric is missing.
program::Kernel profiled_kernel(const ProfiledKernel& profiled, const gpu::GpuSpec& gpu,
                                const CodeAssumptions& assumptions = {});

}  // namespace septet::nsight
