// The time of a collective computed for a single rank, if it is the same for all.
//
// Holds where every message of a phase meets the same rates and latencies and no two of its
// messages want one link at once: routes share no link, or each link serves one sender or one
// receiver alone, as the cables around one switch do. A phase of n - 1 messages then takes, with s
// the longest time of a message on one of its links and L the latency of its route,
//   ring: (n - 1) (L + s)      direct, one cable for each pair: L + s
//   direct, over one switch: L + (n - 1) s
// to the picosecond what the chunk-level simulation gives, in which the same s and L appear. Where
// the size doesn't divide by the number of ranks, the largest share is taken: an upper bound, as
// shorter messages never arrive later here.
#pragma once

#include <optional>

#include "models/network/collective/chunks/analytic_time.hpp"

namespace septet::network {

// Nothing where the group is not symmetric, goes along trees, ranks compute for different times, or
// messages are stored and forwarded.
std::optional<AnalyticTime> symmetric_time(Router& router, const AlgorithmPlan& plan,
                                           const ChunkWork& work = {});

}  // namespace septet::network
