// What data/measurements/FORMAT.md describes: the metrics of each group with their units, and the
// keys of its cases.
#pragma once

#include <string>
#include <vector>

namespace septet::validation {

// Metrics of one group and one unit.
struct MetricNames {
  std::string group;
  std::string unit;
  std::vector<std::string> names;
};

const std::vector<MetricNames>& metric_names_by_unit();

// The groups that have cases, by name.
std::vector<std::string> case_groups();

// The keys that cases of the group have; of a group that is not known, those of all groups.
const std::vector<std::string>& case_keys(const std::string& group);

}  // namespace septet::validation
