// The points of a sweep, in the order of its description: blocks one after the other, in each the
// last axis fastest, the repeats of a point next to each other.
#pragma once

#include <string>
#include <vector>

#include "scenarios/sweep/axis.hpp"

namespace septet::sweep {

struct Point {
  std::string name;  // 16 hexadecimal digits: by what is simulated
  Settings settings;
  std::string change;  // a what-if; empty: none
};

struct Points {
  std::vector<std::string> keys;  // of all axes, in the order of their first appearance
  std::vector<Point> all;
};

// Limit on the points of a sweep: each takes about 1 kB.
constexpr std::size_t kMostPoints = 10'000'000;

// `scenario`: the file without [sweep]. `data_version`: of everything else that results depend on;
// part of the names. Throws ConfigError for an empty sweep, too large a one, and where two points
// are the same.
Points points_of(const SweepText& sweep, const config::ConfigValue& scenario,
                 const std::string& data_version);

// "kernel.work.grid = 16, change = \"cuda-graphs\""
std::string settings_text(const Settings& settings);

// What is laid over the scenario at a point.
config::ConfigValue overlay_of(const Point& point, const Location& where);

// The scenario of a point. `scenario`: the file without [sweep].
config::ConfigValue scenario_of(const config::ConfigValue& scenario, const Point& point);

}  // namespace septet::sweep
