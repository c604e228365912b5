// The result of `septet explain`, before it is printed as text or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/explain/advice.hpp"
#include "scenarios/explain/ceilings.hpp"
#include "scenarios/explain/metrics.hpp"
#include "scenarios/explain/stages.hpp"

namespace septet::explain {

// What a profiler says of the kernel, next to the same by the model.
struct Profiled {
  std::string id;
  Duration predicted{};              // with what the profiler's clock adds
  std::optional<Duration> measured;  // absent where the report doesn't say
};

struct Explanation {
  std::string gpu;
  std::string title;   // the kernel's or operator's name
  std::string launch;  // "65536 blocks of 256 threads, 16 registers a thread"
  gpu::KernelTime time;
  StageTimes stages;  // their total is the time of one launch
  KernelMetrics metrics;
  Ceilings ceilings;
  std::optional<Frequency> clock;  // operators of tiles: that the load leaves
  std::string most_sensitive_to;   // operators of tiles: "DRAM bandwidth"
  std::optional<Profiled> profiled;
  std::vector<Advice> advice;
  std::vector<std::string> warnings;
};

// Throws ModelError where not one block fits an SM.
Explanation explain(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                    const KernelDescription& kernel);

}  // namespace septet::explain
