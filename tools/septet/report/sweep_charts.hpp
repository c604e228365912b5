// Charts of all points of a sweep at once.
#pragma once

#include <optional>
#include <string>

#include "tools/septet/report/document.hpp"
#include "tools/septet/report/sweep_points.hpp"

namespace septet::command {

// "simulated_us, us"
std::string label_of(const SweepOutput& output);

// Whether values from `least` to `most` need a logarithmic axis.
constexpr bool is_wide(double least, double most) { return least > 0 && most > 20 * least; }

// The number that a value begins with: 2 of "2 us".
struct Quantity {
  double number = 0;
  std::string unit;
};
std::optional<Quantity> quantity_of(const std::string& text);

// The points that no other beats in the first two outputs that say what is better, among all.
// Nothing where there are no such two, or one point is best in both.
std::optional<Figure> pareto_figure(const SweepPoints& sweep, const std::string& id);

// Each point a line across its keys and the first outputs, coloured by the first of these. Nothing
// for fewer than two keys that vary. Of more than some hundred points every n-th.
std::optional<Figure> parallel_figure(const SweepPoints& sweep, const std::string& id);

}  // namespace septet::command
