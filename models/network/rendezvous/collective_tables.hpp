// The trace tables of collectives and links.
#pragma once

#include "core/trace/table.hpp"

namespace septet {

// One row for each rank of a collective, written when it ends: start of the rank's kernel, end,
// the time that it waited for later ranks, and how the library did it.
TableSpec collectives_table();

// Its columns, so that readers need no numbers.
enum class CollectiveColumn : std::uint8_t {
  kStart,
  kEnd,
  kWaited,
  kOperation,
  kCommunicator,
  kRank,
  kDevice,
  kStream,
  kBytes,
  kAlgorithm,
  kProtocol,
  kChannels,
  kTimingMethod
};

// One row for each stretch of time in which links that carry the same (link_groups.hpp) do so at
// one rate above zero, written when it ends: the bytes of each of them, and which share that is of
// what it could carry. Rows of what collectives move while they start up may lie over others of a
// link.
TableSpec links_table();

enum class LinkColumn : std::uint8_t { kStart, kEnd, kLink, kBytes, kUtilization };

}  // namespace septet
