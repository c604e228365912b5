// An axis as the list of what it sets, one element a value.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/sweep/sweep_text.hpp"

namespace septet::sweep {

// A key and its value at a point.
using Setting = std::pair<std::string, config::ConfigValue>;
using Settings = std::vector<Setting>;

// The key of what-ifs, which is none of the scenario's.
constexpr const char* kChange = "change";

// Throws ConfigError where the axis says nothing or two things, or a row has the wrong length.
std::vector<Settings> axis_values(const AxisText& axis, std::uint64_t seed);

// The keys that the axis sets, in their order.
std::vector<std::string> keys_of(const std::vector<Settings>& values);

}  // namespace septet::sweep
