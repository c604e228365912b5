// Groups sharing and copy: priorities, dependent launch, fork-join by events, graphs with copies,
// several processes, and copies alone and overlapped with kernels.
#pragma once

#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

std::vector<CaseKind> sharing_cases();
std::vector<CaseKind> copy_cases();
std::vector<CaseKind> process_cases();
std::vector<CaseKind> queue_cases();

}  // namespace septet::validation
