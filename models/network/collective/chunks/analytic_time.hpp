// The time of a collective without simulating each message, where that is the same to the
// picosecond or its error is known. Outputs name the method used.
#pragma once

#include <optional>
#include <string>

#include "models/network/collective/chunks/chunk_simulation.hpp"

namespace septet::network {

struct AnalyticTime {
  Duration time{};     // of the work as a whole
  Duration above{};    // it is at most this much too long
  std::string method;  // "ring, symmetric"
};

// The time that simulate_chunks would give; from symmetric_time, else from private_ring_time.
// Nothing if neither applies.
std::optional<AnalyticTime> analytic_time(Router& router, const AlgorithmPlan& plan,
                                          const ChunkWork& work = {});

}  // namespace septet::network
