// Kernels from an Nsight Compute report in CSV: the raw page (`ncu --csv --page raw`: a row of
// names, a row of units, one row per kernel) or the long form (one row per metric).
//
// Numbers may have thousands separators; "n/a" and empty fields are missing metrics. Values are
// brought to base units: bytes, nanoseconds, hertz, percent; counts stay. Lines before the header
// (==PROF== ...) are skipped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace septet::nsight {

struct ProfiledKernel {
  Location where;
  std::string id;  // as it came
  std::string name;
  std::string device;                     // its name; empty where the report doesn't say
  std::map<std::string, double> metrics;  // by name, in base units

  std::optional<double> metric(const std::string& key) const;
  double metric_or(const std::string& key, double otherwise) const;
};

// Throws ConfigError naming file and line for what is no such report, a row of the wrong length, a
// metric that is no number and one that no counter can read (a hit rate of 300 %).
std::vector<ProfiledKernel> read_nsight_report(const std::string& path);

}  // namespace septet::nsight
