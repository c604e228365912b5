// Collectives over a topology, message by message.
//
// Modelled: each link carries one message at a time, in the order in which their heads arrive (the
// queue of ASTRA-sim's congestion-aware backend); bytes over rate, then the latency. A message is
// forwarded while still being received (cut-through, as switches do), or after it has arrived
// completely. Ignored: packets, limited buffers in switches, protocol costs, the time that a
// reduction takes.
//
// Sequential. Events are ordered by time and, at one instant, by when they were scheduled, so a run
// and its digest are the same each time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/network/collective/schedule/algorithm_plan.hpp"

namespace septet::network {

enum class Forwarding : std::uint8_t { kCutThrough, kStoreAndForward };

// The work of every rank: compute, then take part in the collective, `repeats` times.
struct ChunkWork {
  std::uint32_t repeats = 1;
  std::vector<Duration> compute = {};  // by rank, before each collective; empty: none
  Forwarding forwarding = Forwarding::kCutThrough;
  // Told now and then how many bytes all links together have carried so far.
  std::function<void(double carried_bytes)> observer = {};
};

// Traffic of one link.
struct LinkUse {
  Bytes bytes{};
  Duration busy{};
};

struct ChunkResult {
  Duration time{};           // until the last rank has finished
  std::uint64_t sends = 0;   // messages
  std::uint64_t events = 0;  // arrivals of a message at the end of a link, and ranks that join
  std::uint64_t digest = 0;
  std::vector<LinkUse> links;       // by link of the topology
  std::vector<Duration> finish_at;  // by rank
};

// Limit of messages in flight: each takes about 150 bytes and 5 us. A direct algorithm over 512
// ranks has half as many.
constexpr std::uint64_t kMostMessages = 1U << 19U;

// Throws ConfigError that names operation, ranks and GPUs where two that exchange messages have no
// path, or if too many messages would be in flight.
ChunkResult simulate_chunks(Router& router, const AlgorithmPlan& plan, const ChunkWork& work = {});

}  // namespace septet::network
