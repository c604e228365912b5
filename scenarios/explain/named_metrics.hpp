// The numeric metrics, under their names in JSON and claims.
#pragma once

#include <string>
#include <vector>

#include "scenarios/explain/metrics.hpp"

namespace septet::explain {

// Not a number where it is not known: of warps, where a kernel has no description.
struct NamedMetric {
  const char* name;  // unit at its end: "_us", "_pct"
  double (*of)(const KernelMetrics& metrics);
};

const std::vector<NamedMetric>& named_metrics();

// Null where there is none of this name.
const NamedMetric* find_metric(const std::string& name);

std::vector<std::string> metric_names();

}  // namespace septet::explain
