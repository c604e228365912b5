#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/svg.hpp"

namespace septet::command {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 340;
constexpr double kTop = 46;
constexpr double kBottom = 24;
constexpr double kSide = 92;

double x_of(const ParallelChart& chart, std::size_t axis) {
  const std::size_t gaps = std::max<std::size_t>(1, chart.axes.size() - 1);
  return kSide + (kWidth - 2 * kSide) * static_cast<double>(axis) / static_cast<double>(gaps);
}

double y_of(double share) { return kHeight - kBottom - share * (kHeight - kTop - kBottom); }

std::string axis_svg(const ParallelChart& chart, std::size_t index) {
  const ParallelAxis& axis = chart.axes[index];
  const double x = x_of(chart, index);
  std::string out = svg_line(x, y_of(0), x, y_of(1), "class=\"axis\"");
  const bool last = index + 1 == chart.axes.size();
  // Names of neighbours stand on two levels, the outer ones within the frame.
  const double level = index % 2 == 0 ? kTop - 28 : kTop - 12;
  if (index == 0) {
    out += chart_text(0, level, "name", axis.name);
  } else {
    out += chart_text(last ? kWidth : x, level, last ? "name end" : "name middle", axis.name);
  }
  for (const auto& [share, label] : axis.marks) {
    out += chart_text(last ? x + 6 : x - 6, y_of(share) + 4, last ? "mark" : "mark end", label);
  }
  return out;
}

std::string line_svg(const ParallelChart& chart, const ParallelLine& line) {
  std::string d;
  for (std::size_t i = 0; i < line.shares.size(); ++i) {
    d +=
        fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", x_of(chart, i), y_of(line.shares[i]));
  }
  return fmt::format("<path class=\"line thin {}\" d=\"{}\" data-tip=\"{}\"/>\n",
                     series_class(line.series), d, xml_text(line.tooltip));
}

}  // namespace

std::string parallel_chart(const ParallelChart& chart) {
  std::string body;
  for (const ParallelLine& line : chart.lines) body += line_svg(chart, line);
  for (std::size_t i = 0; i < chart.axes.size(); ++i) body += axis_svg(chart, i);
  if (chart.series.size() > 1) body += legend(chart.series, kSide, kHeight - 6);
  return svg_opening(kWidth, kHeight + 6, chart.description) + body + "</svg>\n";
}

}  // namespace septet::command
