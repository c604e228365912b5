// "No such thing", where an index of 32 bits is wanted.
#pragma once

#include <cstdint>
#include <limits>

namespace septet {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace septet
