// Use of issue slots, L2 and DRAM by a kernel of which only launch and duration are known.
//
//   use = most (1 - start / duration) (1 - exp(-w / w0))      w: resident warps over those that fit
//
// A kernel moves nothing while it starts; then what it has in flight grows with its warps, until
// memory or issue is full. Fitted to the 207 kernels of data/measurements/h200/kernels (GPT-2,
// Llama, training), whatever their names: mean error 0.05 of DRAM (most 0.2, w0 0.1), 0.07 of L2
// (0.3, 0.1) and 0.04 of issue (0.7, 1), against 0.08, 0.12 and 0.10 of the median of all.
// Individual kernels use much more or less; the estimate is meant for many overlapping kernels.
#pragma once

#include "models/gpu/kernel/sharing.hpp"

namespace septet::gpu {

struct RecordedUse {
  double dram = 0;  // shares of the GPU, 0 to 1
  double l2 = 0;
  double issue = 0;
};

// `warps`: resident, over those that fit the GPU.
RecordedUse recorded_use(double warps, Duration duration);

// The same as seen by others, with `blocks` resident.
SharedKernel recorded_shared(const GpuSpec& gpu, const RecordedUse& use, double blocks);

}  // namespace septet::gpu
