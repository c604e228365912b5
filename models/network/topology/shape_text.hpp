// Simple topologies as written on a command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/network/topology/shapes.hpp"

namespace septet::network {

// "ring", "switch", "full": one level of `gpus`. "8x512", "switch8xring512": levels, nearest first,
// rings unless they say otherwise; `gpus`, unless 0, has to be their product. Every link is `link`.
// Throws ConfigError that says what is wanted.
std::vector<Level> levels_of(const std::string& text, std::uint64_t gpus, const LinkSpec& link);

}  // namespace septet::network
