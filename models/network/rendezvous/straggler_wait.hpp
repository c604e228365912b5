// The effect of late ranks.
#pragma once

#include <cstdint>

namespace septet::network {

// How long the other ranks of collectives waited for a GPU that came last, alone or with others:
// these share the waiting equally. Of many ranks for long it is more than a Duration holds.
struct StragglerWait {
  double seconds = 0;             // of all ranks that waited, added up
  std::uint64_t collectives = 0;  // in which some rank waited
};

}  // namespace septet::network
