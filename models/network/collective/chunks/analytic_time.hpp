// The time of a collective without an event for each message, where that is the same to the
// picosecond or its error is known. Outputs name the method that was taken.
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

// What simulate_chunks would give as time; by symmetric_time, else by private_ring_time. Nothing
// where neither holds.
std::optional<AnalyticTime> analytic_time(Router& router, const AlgorithmPlan& plan,
                                          const ChunkWork& work = {});

}  // namespace septet::network
