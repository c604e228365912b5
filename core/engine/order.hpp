// Taking apart and counting on the order word of an event.
#pragma once

#include <algorithm>

#include "core/base/error.hpp"
#include "core/engine/event.hpp"

namespace septet {

constexpr ProcessId source_of(std::uint64_t order) {
  return static_cast<ProcessId>(order >> kSequenceBits) & (kMaxProcesses - 1);
}

// The order word of the next event of `source`; counts `sequence` on.
inline std::uint64_t take_order(Phase phase, ProcessId source, std::uint64_t& sequence) {
  SEPTET_ASSERT(sequence < std::uint64_t{1} << kSequenceBits);
  return pack_order(phase, source, sequence++);
}

// Where an event stands in the sequence in which one queue hands out all events: its time and the
// largest order word among the events handled at that time up to and including it. Handling
// order is not the order of the keys alone, because an event may schedule another one at the same
// instant whose key is smaller than its own. The places of events of different partitions, compared
// with one another, give the sequence of a run with one queue: of two events at one instant, the
// one whose predecessors in its own partition all had smaller keys was at the front first.
struct HandlingPlace {
  Instant at;
  std::uint64_t order = 0;

  friend constexpr auto operator<=>(const HandlingPlace&, const HandlingPlace&) = default;
};

}  // namespace septet
