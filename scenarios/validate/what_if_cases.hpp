// Changes that were really made: the recorded program before, its step without the profiler, and
// the step after the change, which a what-if stands for.
#pragma once

#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

std::vector<CaseKind> what_if_cases();

}  // namespace septet::validation
