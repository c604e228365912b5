// The recordings of several ranks of one run in a canonical order, independent of the order in
// which they were given.
#pragma once

#include <vector>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

// By rank; those that name none by their beginning, then by their file. Throws ConfigError naming
// both files where two are of one rank, or are the same recording.
void order_by_rank(std::vector<RecordedTrace>& traces);

}  // namespace septet::recorded
