#include "tools/septet/report/sweep_charts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/base/statistics.hpp"
#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kMostDots = 600;
constexpr std::size_t kMostLines = 400;
constexpr std::size_t kMostOutputs = 3;
constexpr std::size_t kMostMarks = 8;
constexpr std::size_t kLongestLabel = 12;

std::string settings_of(const SweepPoints& sweep, const SweepPoint& point) {
  std::string out;
  for (std::size_t k = 0; k < sweep.keys.size(); ++k) {
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", sweep.keys[k],
                       point.keys[k].empty() ? "(none)" : printable(point.keys[k]));
  }
  return out;
}

// Every n-th of so many, at most `most`.
std::size_t stride_of(std::size_t count, std::size_t most) { return (count + most - 1) / most; }

Axis axis_of(const SweepPoints& sweep, std::size_t output) {
  std::vector<double> values;
  for (const SweepPoint& point : sweep.points) {
    if (!std::isnan(point.outputs[output])) values.push_back(point.outputs[output]);
  }
  const auto [least, most] = std::ranges::minmax(values);
  return axis_over(
      label_of(sweep.outputs[output]) + ", " + sweep.outputs[output].better + " is better", values,
      is_wide(least, most));
}

Point dot_of(const SweepPoints& sweep, std::size_t point, std::size_t first, std::size_t second,
             bool best) {
  const SweepPoint& of = sweep.points[point];
  return {of.outputs[first], of.outputs[second], 0,
          fmt::format("{}: {}, {}", settings_of(sweep, of), rounded(of.outputs[first], 4),
                      rounded(of.outputs[second], 4)),
          best};
}

// A key or an output as an axis: where each point lies, from 0 to 1.
struct Coordinate {
  ParallelAxis axis;
  std::vector<double> shares;  // NaN where the point has no value
};

Coordinate numbers_coordinate(const std::string& name, const std::vector<double>& values,
                              const std::string& unit) {
  double least = HUGE_VAL;
  double most = -HUGE_VAL;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const bool logarithmic = is_wide(least, most);
  const auto at = [&](double value) { return logarithmic ? std::log(value) : value; };
  const double span = at(most) - at(least);
  Coordinate out{{name, {}}, {}};
  for (const double value : values) {
    out.shares.push_back(std::isnan(value) ? value : span > 0 ? (at(value) - at(least)) / span : 0);
  }
  if (most >= least) out.axis.marks = {{0, rounded(least) + unit}, {1, rounded(most) + unit}};
  return out;
}

Coordinate texts_coordinate(const std::string& name, const std::vector<std::string>& values) {
  std::vector<std::string> levels;
  for (const std::string& value : values) {
    if (std::ranges::find(levels, value) == levels.end()) levels.push_back(value);
  }
  const double last = std::max(1.0, static_cast<double>(levels.size()) - 1);
  Coordinate out{{name, {}}, {}};
  const std::size_t stride = stride_of(levels.size(), kMostMarks);
  for (std::size_t i = 0; i < levels.size(); i += stride) {
    // Of the name of a file what it ends with.
    const std::string end = levels[i].substr(levels[i].rfind('/') + 1);
    const std::string shown = end.empty() ? "(none)" : printable(end);
    out.axis.marks.emplace_back(static_cast<double>(i) / last, shorten(shown, kLongestLabel));
  }
  for (const std::string& value : values) {
    const auto level = std::ranges::find(levels, value) - levels.begin();
    out.shares.push_back(static_cast<double>(level) / last);
  }
  return out;
}

std::vector<std::string> column_of(const SweepPoints& sweep, std::size_t key) {
  std::vector<std::string> out;
  for (const SweepPoint& point : sweep.points) out.push_back(point.keys[key]);
  return out;
}

// Numbers, all of one unit, else texts.
Coordinate key_coordinate(const SweepPoints& sweep, std::size_t key) {
  const std::vector<std::string> texts = column_of(sweep, key);
  std::vector<double> numbers;
  std::set<std::string> units;
  for (const std::string& text : texts) {
    const std::optional<Quantity> value = quantity_of(text);
    if (!value) return texts_coordinate(sweep.keys[key], texts);
    numbers.push_back(value->number);
    units.insert(value->unit);
  }
  if (units.size() != 1) return texts_coordinate(sweep.keys[key], texts);
  return numbers_coordinate(sweep.keys[key], numbers, *units.begin());
}

Coordinate output_coordinate(const SweepPoints& sweep, std::size_t output) {
  std::vector<double> values;
  for (const SweepPoint& point : sweep.points) values.push_back(point.outputs[output]);
  const std::string units = sweep.outputs[output].units;
  return numbers_coordinate(sweep.outputs[output].name, values,
                            units.empty() || units == "1" ? "" : " " + units);
}

bool varies(const std::vector<std::string>& values) {
  return std::ranges::any_of(values, [&](const auto& value) { return value != values.front(); });
}

// Quarters of the points by an output: 0 has the least.
std::vector<std::size_t> quarters(const SweepPoints& sweep, std::size_t output) {
  std::vector<double> sorted;
  for (const SweepPoint& point : sweep.points) {
    if (!std::isnan(point.outputs[output])) sorted.push_back(point.outputs[output]);
  }
  std::ranges::sort(sorted);
  std::vector<std::size_t> out;
  for (const SweepPoint& point : sweep.points) {
    std::size_t quarter = 0;
    for (const double percent : {25.0, 50.0, 75.0}) {
      quarter += point.outputs[output] > percentile(sorted, percent) ? 1U : 0U;
    }
    out.push_back(quarter);
  }
  return out;
}

}  // namespace

std::string label_of(const SweepOutput& output) {
  return output.units.empty() || output.units == "1"
             ? output.name
             : fmt::format("{}, {}", output.name, output.units);
}

std::optional<Quantity> quantity_of(const std::string& text) {
  Quantity out;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, out.number);
  if (error != std::errc()) return std::nullopt;
  out.unit = std::string(rest, end);
  return out;
}

std::optional<Figure> pareto_figure(const SweepPoints& sweep, const std::string& id) {
  std::vector<std::size_t> directed;
  for (std::size_t i = 0; i < sweep.outputs.size(); ++i) {
    if (!sweep.outputs[i].better.empty()) directed.push_back(i);
  }
  if (directed.size() < 2) return std::nullopt;
  const std::size_t first = directed[0];
  const std::size_t second = directed[1];
  const std::vector<std::size_t> front = pareto_front(sweep, first, second);
  if (front.size() < 2) return std::nullopt;
  LineChart chart;
  chart.x = axis_of(sweep, first);
  chart.y = axis_of(sweep, second);
  chart.series = {{"others", {}}, {"best", {}}};
  const std::size_t stride = stride_of(sweep.points.size(), kMostDots);
  for (std::size_t i = 0; i < sweep.points.size(); i += stride) {
    const SweepPoint& point = sweep.points[i];
    const bool known = !std::isnan(point.outputs[first]) && !std::isnan(point.outputs[second]);
    const bool best = std::ranges::find(front, i) != front.end();
    if (known && !best) {
      chart.series[0].points.push_back(dot_of(sweep, i, first, second, false));
    }
  }
  ReportTable data{{"point", label_of(sweep.outputs[first]), label_of(sweep.outputs[second])}, {}};
  for (const std::size_t i : front) {
    chart.series[1].points.push_back(dot_of(sweep, i, first, second, true));
    data.rows.push_back({text_cell(settings_of(sweep, sweep.points[i])),
                         number_cell(sweep.points[i].outputs[first]),
                         number_cell(sweep.points[i].outputs[second])});
  }
  const std::string finding =
      fmt::format("{} of {} points are best in {} and {}: no other is better in both", front.size(),
                  sweep.points.size(), sweep.outputs[first].name, sweep.outputs[second].name);
  chart.description = finding;
  return Figure{id + "pareto", finding, scatter_chart(chart), data,
                stride > 1 ? "Of the others every n-th is shown." : ""};
}

std::optional<Figure> parallel_figure(const SweepPoints& sweep, const std::string& id) {
  std::vector<Coordinate> coordinates;
  for (std::size_t k = 0; k < sweep.keys.size(); ++k) {
    if (varies(column_of(sweep, k))) coordinates.push_back(key_coordinate(sweep, k));
  }
  if (coordinates.size() < 2 || sweep.outputs.empty()) return std::nullopt;
  const std::size_t keys = coordinates.size();
  for (std::size_t i = 0; i < sweep.outputs.size(); ++i) {
    Coordinate one = output_coordinate(sweep, i);
    const bool wanted = i == 0 || std::ranges::any_of(one.shares, [](double x) { return x > 0; });
    if (wanted && coordinates.size() < keys + kMostOutputs) coordinates.push_back(std::move(one));
  }
  const std::vector<std::size_t> quarter = quarters(sweep, 0);
  ParallelChart chart;
  for (const Coordinate& one : coordinates) chart.axes.push_back(one.axis);
  chart.series = {"lowest quarter", "second", "third", "highest quarter"};
  const std::size_t stride = stride_of(sweep.points.size(), kMostLines);
  for (std::size_t i = 0; i < sweep.points.size(); i += stride) {
    ParallelLine line{{}, quarter[i], settings_of(sweep, sweep.points[i])};
    for (const Coordinate& one : coordinates) line.shares.push_back(one.shares[i]);
    const bool whole = std::ranges::none_of(line.shares, [](double x) { return std::isnan(x); });
    if (whole) chart.lines.push_back(std::move(line));
  }
  if (chart.lines.empty()) return std::nullopt;
  const std::string finding =
      fmt::format("Which values go with a low or high {}", sweep.outputs[0].name);
  chart.description = finding;
  return Figure{
      id + "parallel",
      finding,
      parallel_chart(chart),
      {},
      stride > 1 ? fmt::format("Every {}th point is a line.", stride) : "Every point is a line."};
}

}  // namespace septet::command
