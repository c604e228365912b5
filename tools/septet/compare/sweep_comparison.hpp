// What changed between two sweeps, point by point.
//
// Points are matched by the values of the keys that both sweeps have. Those that differ in their
// seed alone are repeats of one: the change of an output is then the mean of the differences
// between runs of the same seed, and its interval that of Student's t for paired samples, at 95 %.
// A simulation of one seed has no chance in it: each difference is real.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/septet/compare/number_change.hpp"
#include "tools/septet/report/sweep_points.hpp"

namespace septet::command {

// An output at a point, in A and B: means over the seeds that both have.
struct PointChange : NumberChange {
  std::string point;  // "kernel.work.grid = 16, change = cuda-graphs"
};

struct OutputChanges {
  std::string name;
  std::string units;
  std::vector<PointChange> points;  // in the order of A; NaN on both sides is left out
  std::size_t came_or_went = 0;     // points where only one of the two has a value

  double median_pct() const;           // of all points that have a percentage; 0 of none
  const PointChange* largest() const;  // null where there are no points
  std::size_t sure() const;
};

// Of a point's status, or of an output that is a text.
struct TextChange {
  std::string point;
  std::string a;
  std::string b;
  std::string output{};
};

struct SweepComparison {
  std::size_t compared = 0;         // points of both, each seed one of its own
  bool repeated = false;            // some points have several seeds
  std::vector<std::string> only_a;  // points
  std::vector<std::string> only_b;
  std::vector<TextChange> statuses;
  std::vector<TextChange> texts;       // of outputs, which no limit concerns
  std::vector<OutputChanges> outputs;  // that both have, in the order of A
  std::vector<std::string> one_sided;  // keys and outputs that only one of them has
};

// `ignored`: names of outputs that are left out. Throws ConfigError, which names the sweep, where
// keys that only one of them has tell its points apart.
SweepComparison compare_sweeps(const SweepPoints& a, const SweepPoints& b,
                               const std::vector<std::string>& ignored = {});

// Values above the limit, statuses that changed and points that only one of them has.
std::size_t count_above(const SweepComparison& comparison, double limit_pct);

std::string comparison_text(const SweepComparison& comparison, std::size_t columns);
nlohmann::ordered_json comparison_json(const SweepComparison& comparison);

}  // namespace septet::command
