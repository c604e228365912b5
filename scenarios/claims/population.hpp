// Shares and means over the kernels of Nsight Compute reports, as the kernel model sees them and,
// where the profiler counts the same thing, as it was measured.
#pragma once

#include <optional>
#include <string>

#include "scenarios/claims/measurements.hpp"
#include "scenarios/system/system.hpp"

namespace septet::claims {

// The value of a part with reports, in percent or in the unit of its metric. Absent if no kernel
// satisfies `among`. Throws ConfigError, located at the part, for an invalid condition.
std::optional<double> simulated_share(const PartText& part, const system::SystemSpec& system,
                                      Measurements& measurements);

// The same from the profiler's own metrics; absent also where one of those requested has none.
std::optional<double> measured_share(const PartText& part, Measurements& measurements);

}  // namespace septet::claims
