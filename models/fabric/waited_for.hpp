// How a rank that comes late shows.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"

namespace septet {

// How long other ranks of collectives waited for a GPU that came last.
struct WaitedFor {
  Duration time{};                // of all who waited, added up
  std::uint64_t collectives = 0;  // in which somebody did
};

}  // namespace septet
