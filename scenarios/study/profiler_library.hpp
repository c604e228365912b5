// What the profilers that Septet knows cost the CPU: data/profilers, one file each.
#pragma once

#include <string>

#include "models/workload/recorded/recording/recorded_trace.hpp"
#include "scenarios/whatif/profiler_costs.hpp"

namespace septet::study {

// Of the profiler that made a recording; no costs where it is not known. Throws ConfigError where
// its file is wrong.
whatif::ProfilerCosts profiler_costs(const recorded::RecordedTrace& trace);

}  // namespace septet::study
