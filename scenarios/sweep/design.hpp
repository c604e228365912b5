// Points in the unit cube: drawn at random, as a Latin hypercube, or from the Sobol sequence.
//
// Latin hypercube: each coordinate has one point in each of `count` equal intervals (M. McKay, R.
// Beckman, W. Conover, "A comparison of three methods for selecting values of input variables",
// Technometrics 21, 1979). Sobol: Boost's sequence with the direction numbers of S. Joe and F. Kuo
// (2008), which leaves out the origin.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/sweep/sweep_text.hpp"

namespace septet::sweep {

// `count` points of `dimensions` coordinates in [0, 1). The same for the same seed; Sobol has none.
std::vector<std::vector<double>> design_points(Design design, std::size_t count,
                                               std::size_t dimensions, std::uint64_t seed);

}  // namespace septet::sweep
