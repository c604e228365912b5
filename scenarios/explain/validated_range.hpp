// Where the kernel model was compared with measurements, and what of a kernel lies outside.
//
// The ranges are those of the rows in data/measurements/h200; a test compares the two.
#pragma once

#include <string>
#include <vector>

#include "scenarios/explain/kernel_description.hpp"

namespace septet {

struct ValidatedRange {
  std::string what;
  double least;
  double most;
  std::string group;  // of measurements
};

enum class Validated : std::uint8_t { kThreads, kBlocks, kLoads, kCode, kFootprint, kConflicts };

const ValidatedRange& validated_range(Validated what);

// One sentence for each quantity of the kernel that is outside its range: which, its value, and by
// which factor it is outside.
std::vector<std::string> range_warnings(const KernelDescription& kernel);

}  // namespace septet
