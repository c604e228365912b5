// The largest part of a run's critical path: what is worth improving.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/analysis/critical_path.hpp"

namespace septet::analysis {

struct RunBottleneck {
  LinkKind kind = LinkKind::kKernel;
  double share = 0;          // of the run's whole time
  std::int32_t kernel = -1;  // code of the kernel or collective with the largest part
  double kernel_share = 0;   // of the run's whole time
};

// `span`: of the run. An empty path gives a share of 0.
RunBottleneck bottleneck_of(const std::vector<PathLink>& path, Duration span);

}  // namespace septet::analysis
