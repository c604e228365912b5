// Copies and memsets while they run. Each direction between host and device has an engine, which
// does one copy after the other; inside the device kernels copy and set memory, and the CPU copies
// in its own.
#pragma once

#include <array>

#include "models/gpu/execution/work.hpp"
#include "models/gpu/gpu_spec.hpp"

namespace septet::gpu {

// Of a copy or memset that has its path for itself. `host_copy_rate`: of copies from host memory to
// host memory.
Duration time_alone(const GpuSpec& gpu, ByteRate host_copy_rate, const Work& work);

class CopyEngines {
 public:
  // When a copy that is ready at `now` and takes `time` starts.
  Instant start(const Work& copy, Duration time, Instant now);

 private:
  std::array<Instant, 2> free_;  // to the device, and from it
};

}  // namespace septet::gpu
