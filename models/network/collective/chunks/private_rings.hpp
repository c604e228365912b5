// Rings whose links each serve one sender: nobody waits for anybody else's messages, so the times
// follow step by step without any queue of events. Ranks may join late, links and routes differ,
// shares be uneven: with a(r, k) the arrival of message k at rank r, rank r sends its message k
// when it has entered the phase and a(r, k) has come, and the route of r adds what it adds in the
// chunk-level simulation; to the picosecond the same.
//
// Some ten times faster than an event for each message, and as exact.
#pragma once

#include <optional>

#include "models/network/collective/chunks/analytic_time.hpp"

namespace septet::network {

// Nothing where a phase is no ring, some link serves two senders, messages are stored and
// forwarded, or the work goes along trees.
std::optional<AnalyticTime> private_ring_time(Router& router, const AlgorithmPlan& plan,
                                              const ChunkWork& work);

}  // namespace septet::network
