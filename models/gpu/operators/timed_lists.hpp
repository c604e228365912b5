// Times of operators computed before a run, for Programs in which many GPUs share lists of calls.
//
// Launches in shared lists get the time that their operator's kernels take alone on the thread's
// GPU, as if it had been recorded. So thousands of GPUs need not model them launch by launch, and
// what a GPU can do next is foreseen (models/gpu/horizon/call_horizon.hpp). What sharing the GPU
// would change is left out.
#pragma once

#include "core/base/by_range.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

// `gpus` and `slowness` by device: factors on kernel times. A list is split if its threads have
// GPUs of several kinds, or slow ones. Each thread with a list uses one GPU, that of its offset.
// Throws ModelError where a GPU has no numbers for such kernels.
void time_operators(program::Program& program, const ByRange<GpuSpec>& gpus,
                    const ByRange<double>& slowness);

}  // namespace septet::gpu
