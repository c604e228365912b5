// Peak rates of a GPU: the ceilings of a roofline plot.
#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"

namespace septet::explain {

struct Ceiling {
  std::string name;
  double per_second = 0;  // operations
};

struct Ceilings {
  double dram = 0;  // bytes a second
  double l2 = 0;
  std::vector<Ceiling> arithmetic;  // lowest first
};

// At full clock: FMA pipes, and matrix instructions of the types that the GPU has.
Ceilings ceilings_of(const gpu::GpuSpec& gpu);

}  // namespace septet::explain
