// The operators and annotations of the CPU threads as stretches that nest: where each begins and
// ends. One that ends after the one around it is cut there.
#pragma once

#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

struct ScopeEdge {
  Instant at;                   // from the window's beginning; not before it
  std::uint32_t event = kNone;  // of the RecordedTrace, which begins; kNone: the innermost ends
};

// By RecordedTrace thread, in order.
std::vector<std::vector<ScopeEdge>> find_scopes(const RecordedTrace& trace,
                                                const RecordingIndex& index);

}  // namespace septet::recorded
