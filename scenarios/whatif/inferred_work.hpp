// The work of a recorded kernel, inferred from its name, launch and duration, in a form that can be
// timed on another GPU.
//
// The class of its name gives the loop (recorded_class.hpp), the launch gives its blocks and how
// many fit on an SM; the amount of work per block is the one for which the kernel model of the
// recorded GPU predicts the recorded duration. The model of the target GPU predicts the time of the
// same work, and the recorded duration is scaled by the ratio of the two. So a memory-bound kernel
// scales with bandwidth, one bound by tensor cores with their rate, one of few blocks or little
// work with latencies and the clock.
//
//   products   steps of the tile's k loop, operands from DRAM once for each patch of blocks in
//              flight; a tile with a side below 64 is one of few rows: its larger side is streamed
//   attention  steps over keys; tiles of few queries (decode) stream them from DRAM, others share
//              them in the L2 cache
//   others     passes over data: loads of 16 bytes a thread, half as many stores; what the L2 cache
//              keeps of that many bytes was left there by the previous kernel
//
// Ignored: that a library takes other kernels on the other GPU; arithmetic of the last class;
// power.
#pragma once

#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"
#include "scenarios/whatif/recorded_class.hpp"

namespace septet::whatif {

struct InferredWork {
  RecordedClass what;
  program::LaunchShape shape;
  double amount = 0;  // steps of a block, or iterations of 2 KiB of loads for a warp
  std::uint32_t recorded_sms = 0;
};

// Throws ModelError where the GPU that it was recorded on cannot have run it.
InferredWork infer_work(const gpu::GpuSpec& gpu, const program::Kernel& kernel, Duration recorded);

Duration time_on(const gpu::GpuSpec& gpu, const InferredWork& work);

}  // namespace septet::whatif
