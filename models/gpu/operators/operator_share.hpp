// How other kernels feel an operator's pipeline of tiles, and how it feels them.
//
// Over its time alone it moves its bytes of DRAM and L2; what it has in flight (the tiles of a
// pipeline in shared memory) says how often it waits for them: waits = bytes / in flight, as a warp
// waits once for each batch of loads. The remainder of its time alone is its own work, which
// neighbours don't slow: they find no room on its SMs, and its issue is small.
#pragma once

#include "models/gpu/kernel/sharing.hpp"
#include "models/gpu/operators/operator_time.hpp"

namespace septet::gpu {

SharedKernel operator_share(const GpuSpec& gpu, const OperatorTime& time);

}  // namespace septet::gpu
