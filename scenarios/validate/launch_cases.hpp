// Groups launch, dispatch, waves and streams: kernels launched one by one.
#pragma once

#include "scenarios/validate/prediction.hpp"

namespace septet {

std::vector<CaseKind> launch_cases();
std::vector<CaseKind> stream_cases();
std::vector<CaseKind> block_cases();

}  // namespace septet
