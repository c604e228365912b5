// Where the kernel model was compared with measurements, and which quantities of a kernel are
// outside.
//
// The ranges are those of the rows in data/measurements/h200; a test compares the two.
#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "scenarios/explain/kernel_description.hpp"
#include "scenarios/explain/operator_help.hpp"

namespace septet::explain {

struct ValidatedRange {
  std::string what;
  double least;
  double most;
  std::string group;  // of measurements
};

enum class Validated : std::uint8_t {
  kThreads,
  kBlocks,
  kLoads,
  kCode,
  kFootprint,
  kConflicts,
  kBytes,
  kIndependent
};

const ValidatedRange& validated_range(Validated what);

// One sentence for each quantity of the kernel that is outside its range: which, its value, and by
// which factor it is outside.
std::vector<std::string> range_warnings(const gpu::GpuSpec& gpu, const KernelDescription& kernel);

// The same of an operator's shape and type. The ranges are those of the rows of group op, as the
// operators declare them (models/program/operators).
std::vector<std::string> operator_warnings(const gpu::GpuSpec& gpu,
                                           const config::WrittenOperator& op);

// Where no kernel of this GPU was ever compared with measurements.
std::vector<std::string> gpu_warnings(const gpu::GpuSpec& gpu);

}  // namespace septet::explain
