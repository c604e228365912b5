// Group graph: chains and fork-joins as CUDA graphs.
#pragma once

#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

std::vector<CaseKind> graph_cases();

}  // namespace septet::validation
