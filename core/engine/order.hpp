// Unpacks the order word of an event and takes the next one of an LP.
#pragma once

#include <algorithm>

#include "core/base/error.hpp"
#include "core/engine/event.hpp"

namespace septet::engine {

constexpr LpId source_of(std::uint64_t order) {
  return static_cast<LpId>(order >> kSequenceBits) & (kMaxLps - 1);
}

// The order word of the next event of `source`; advances `sequence`.
inline std::uint64_t next_order(Phase phase, LpId source, std::uint64_t& sequence) {
  SEPTET_ASSERT(sequence < std::uint64_t{1} << kSequenceBits);
  return pack_order(phase, source, sequence++);
}

// Where an event stands in the sequence in which one queue hands out all events: its time and the
// largest order word among the events handled at that time up to and including it. Handling
// order is not the order of the keys alone, because an event may schedule another one at the same
// instant whose key is smaller than its own. The positions of events of different partitions,
// compared with one another, give the sequence of a run with one queue: of two events at one
// instant, the one whose predecessors in its own partition all had smaller keys was at the front
// first.
struct HandlingPosition {
  Instant at;
  std::uint64_t order = 0;

  friend constexpr auto operator<=>(const HandlingPosition&, const HandlingPosition&) = default;
};

}  // namespace septet::engine
