// Rings whose links each have a single sender: no message waits for those of another rank, so the
// times follow step by step without an event queue. Ranks may join late, links and routes differ,
// shares be uneven: with a(r, k) the arrival of message k at rank r, rank r sends its message k
// when it has entered the phase and a(r, k) has come, and the route of r adds what it adds in the
// chunk-level simulation; to the picosecond the same.
//
// About ten times as fast as an event per message, and equally exact.
#pragma once

#include <optional>

#include "models/network/collective/chunks/analytic_time.hpp"

namespace septet::network {

// Nothing if a phase is not a ring, a link has two senders, messages are stored and forwarded, or
// trees are used.
std::optional<AnalyticTime> private_ring_time(Router& router, const AlgorithmPlan& plan,
                                              const ChunkWork& work);

}  // namespace septet::network
