// Group graph: chains and fork-joins as CUDA graphs.
#pragma once

#include "scenarios/validate/prediction.hpp"

namespace septet {

std::vector<CaseKind> graph_cases();

}  // namespace septet
