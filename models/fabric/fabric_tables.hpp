// The trace table of collectives.
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
  kShortcut
};

}  // namespace septet
