// What keeps smaller fleets, or all of them, from holding.
#pragma once

#include <vector>

#include "scenarios/capacity/search.hpp"

namespace septet::capacity {

// Of the candidate that comes closest: beside the best one the largest of its option that fails;
// without a best one the largest of all. Where no option could be simulated, why.
std::vector<Limit> limits_of(const CapacityResult& result);

}  // namespace septet::capacity
