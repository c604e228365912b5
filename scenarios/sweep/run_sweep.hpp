// Runs the points of a sweep that have no result yet, several at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/engine/isolated_calls.hpp"
#include "scenarios/sweep/journal.hpp"

namespace septet::sweep {

// Every n-th point, from the i-th on: shares that no two shards have in common.
struct Shard {
  std::uint32_t index = 0;
  std::uint32_t count = 1;

  bool holds(std::size_t point) const { return point % count == index; }
};

struct RunOptions {
  unsigned threads = 1;
  Shard shard{};
  bool fail_fast = false;        // a failed point is the last
  std::uint32_t retries = 0;     // more tries of one that has no result
  engine::CallLimits limits{};   // of a point; with one, points run in processes of their own
  std::function<bool()> stop{};  // asked before each point
  std::function<void(double fraction)> progress{};  // by one thread at a time
};

// Points that have no result are run again. False: stopped before the end.
bool run_points(const Experiment& experiment, const Points& points, Journal& journal,
                const RunOptions& options);

// Points that have a value first, which stand for the others; the first point is one of them.
std::vector<const Point*> points_with_new_values(const Points& points);

// Throws ConfigError for the first of these points that is wrong.
void check_points(const Experiment& experiment, const std::vector<const Point*>& points);

// A hash of all files that these points read.
std::string version_of_inputs(const Experiment& experiment,
                              const std::vector<const Point*>& points);

}  // namespace septet::sweep
