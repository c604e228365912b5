// Copies and memsets in progress. Each direction between host and device has an engine, which
// executes one copy after another; within the device, kernels copy and set memory; within host
// memory, the CPU copies.
#pragma once

#include <array>

#include "models/gpu/execution/work.hpp"
#include "models/gpu/gpu_spec.hpp"

namespace septet::gpu {

// Time of a copy or memset without contention. `host_copy_rate`: of copies from host memory to host
// memory.
Duration time_alone(const GpuSpec& gpu, ByteRate host_copy_rate, const Work& work);

class CopyEngines {
 public:
  // Start of a copy that is ready at `now` and takes `time`.
  Instant start(const Work& copy, Duration time, Instant now);

 private:
  std::array<Instant, 2> free_;  // to the device, and from it
};

}  // namespace septet::gpu
