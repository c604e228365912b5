// Groups launch, dispatch, waves, streams and occupancy: kernels launched one by one.
#pragma once

#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

std::vector<CaseKind> launch_cases();
std::vector<CaseKind> stream_cases();
std::vector<CaseKind> block_cases();
std::vector<CaseKind> occupancy_cases();

}  // namespace septet::validation
