// How a rank that comes late shows.
#pragma once

#include <cstdint>

namespace septet {

// How long other ranks of collectives waited for a GPU that came last, alone or with others: such
// share the waiting equally. Of many ranks for long it is more than a Duration holds.
struct WaitedFor {
  double seconds = 0;             // of all who waited, added up
  std::uint64_t collectives = 0;  // in which somebody did
};

}  // namespace septet
