// The charts of a report as SVG elements within its page.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/septet/report/charts/plot.hpp"

namespace septet::command {

struct Point {
  double x = 0;
  double y = 0;
  double half_width = 0;  // of the interval of y, drawn as a bar
  std::string tooltip{};
  bool marked = false;  // drawn full; else hollow
};

struct Series {
  std::string name;
  std::vector<Point> points;
  bool dots = true;    // one for each point
  bool steps = false;  // the value holds until the next point
};

struct ReferenceLine {
  double at = 0;
  std::string label;
};

struct LineChart {
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<ReferenceLine> vertical{};
  std::vector<ReferenceLine> horizontal{};
  std::string description;
};
std::string line_chart(const LineChart& chart);

// Points without lines; where each series is one point, its name stands beside it.
std::string scatter_chart(const LineChart& chart);

// Horizontal bars, each of parts that add up.
struct BarRow {
  std::string name;
  std::vector<double> parts;  // one of each series
  std::string figure;         // behind the bar
  std::string tooltip{};
};
struct BarChart {
  std::string label;  // of the axis, with its unit
  std::vector<std::string> series;
  std::vector<BarRow> rows;
  std::string description;
};
std::string bar_chart(const BarChart& chart);

// How far an answer moves when one assumption goes to either end.
struct TornadoRow {
  std::string name;
  std::string low_label;  // what the assumption is there
  std::string high_label;
  std::optional<double> low;  // the answer there; nothing: there is none
  std::optional<double> high;
};
struct TornadoChart {
  std::string label;
  double base = 0;
  std::vector<TornadoRow> rows;
  std::string description;
  std::optional<double> limit{};  // that the answer must not reach
};
std::string tornado_chart(const TornadoChart& chart);

// Each result a line across all axes.
struct ParallelAxis {
  std::string name;
  std::vector<std::pair<double, std::string>> marks;  // where, as a share of the axis, from below
};
struct ParallelLine {
  std::vector<double> shares;  // of each axis, from below
  std::size_t series = 0;      // its colour
  std::string tooltip{};
};
struct ParallelChart {
  std::vector<ParallelAxis> axes;
  std::vector<std::string> series;
  std::vector<ParallelLine> lines;  // the last is drawn on top
  std::string description;
};
std::string parallel_chart(const ParallelChart& chart);

}  // namespace septet::command
