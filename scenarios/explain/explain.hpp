// What `septet explain` answers, before it is put into words or JSON.
#pragma once

#include <string>
#include <vector>

#include "scenarios/explain/advice.hpp"
#include "scenarios/explain/metrics.hpp"
#include "scenarios/explain/stages.hpp"

namespace septet {

struct Explanation {
  std::string gpu;
  KernelDescription kernel;
  KernelTime time;
  StageTimes stages;  // their total is the time of one launch
  KernelMetrics metrics;
  std::vector<Advice> advice;
  std::vector<std::string> warnings;
};

// Throws ModelError where not one block fits an SM.
Explanation explain(const GpuSpec& gpu, const HostSpec& host, const KernelDescription& kernel);

}  // namespace septet
