// The recordings of several ranks of one run in one order, whoever named them in which.
#pragma once

#include <vector>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

// By rank; those that name none by their beginning, then by their file. Throws ConfigError naming
// both files where two are of one rank, or are the same recording.
void order_by_rank(std::vector<RecordedTrace>& traces);

}  // namespace septet::recorded
