// What no kernel on the GPU can beat, whatever the model says: the largest of
//   operations / (peak of the type, all SMs, at the clock in force)
//   bytes that DRAM must move / the data sheet's bandwidth: what of the operands the L2 cache
//   lacks,
//     and of the results what it can't hold
//   one kernel's start and end
#pragma once

#include "models/gpu/gpu_spec.hpp"
#include "models/program/operator_work.hpp"

namespace septet::gpu {

Duration physical_floor(const GpuSpec& gpu, const program::Operator& what, Frequency clock);

}  // namespace septet::gpu
