#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/svg.hpp"

namespace septet::command {
namespace {

std::string path_of(const Plot& plot, const Series& series, const std::string& style) {
  std::string d;
  double last = 0;
  for (const Point& point : series.points) {
    const double x = plot.x(point.x);
    const double y = plot.y(point.y);
    if (d.empty()) {
      d = fmt::format("M{:.1f} {:.1f}", x, y);
    } else {
      if (series.steps) d += fmt::format("L{:.1f} {:.1f}", x, last);
      d += fmt::format("L{:.1f} {:.1f}", x, y);
    }
    last = y;
  }
  return fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", style, d);
}

std::string interval(const Plot& plot, const Point& point, const std::string& style) {
  if (point.half_width <= 0) return "";
  const double x = plot.x(point.x);
  const double low = std::min(plot.bottom(), plot.y(point.y - point.half_width));
  const double high = std::max(plot.top(), plot.y(point.y + point.half_width));
  const std::string line = fmt::format("class=\"line {}\"", style);
  return svg_line(x, low, x, high, line) + svg_line(x - 4, low, x + 4, low, line) +
         svg_line(x - 4, high, x + 4, high, line);
}

std::string dot(const Plot& plot, const Point& point, const std::string& style) {
  return interval(plot, point, style) +
         fmt::format(
             "<circle class=\"dot {}{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" "
             "tabindex=\"0\" data-tip=\"{}\"/>\n",
             style, point.marked ? "" : " hollow", plot.x(point.x), plot.y(point.y),
             xml_text(point.tooltip));
}

// Within the frame, on the side with more room.
std::string references(const Plot& plot, const LineChart& chart) {
  std::string out;
  double text = plot.top() + 12;
  for (const ReferenceLine& line : chart.vertical) {
    const double x = plot.x(line.at);
    const bool left = x > (plot.left() + plot.right()) / 2;
    out += svg_line(x, plot.top(), x, plot.bottom(), "class=\"reference\"");
    out += chart_text(left ? x - 6 : x + 6, text, left ? "reference end" : "reference", line.label);
    text += 15;  // the next one stands lower
  }
  for (const ReferenceLine& line : chart.horizontal) {
    const double y = plot.y(line.at);
    out += svg_line(plot.left(), y, plot.right(), y, "class=\"reference\"");
    const double over = y - 5 < plot.top() + 6 ? y + 15 : y - 5;
    out += chart_text(plot.left() + 8, over, "reference", line.label);
  }
  return out;
}

std::vector<std::string> names_of(const LineChart& chart) {
  std::vector<std::string> out;
  for (const Series& series : chart.series) out.push_back(series.name);
  return out;
}

void add_legend(const LineChart& chart, Plot& plot) {
  if (chart.series.size() < 2) return;
  plot.add(legend(names_of(chart), plot.label_end() + 24, plot.top() - 16));
}

std::string name_beside(const Plot& plot, const Point& point, const std::string& name) {
  const double x = plot.x(point.x);
  const bool left = x > (plot.left() + plot.right()) / 2;
  return chart_text(left ? x - 9 : x + 9, plot.y(point.y) + 4, left ? "end" : "", name);
}

}  // namespace

std::string line_chart(const LineChart& chart) {
  Plot plot(chart.x, chart.y, chart.description);
  add_legend(chart, plot);
  plot.add(references(plot, chart));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    plot.add(path_of(plot, series, series_class(i)));
    if (!series.dots) continue;
    for (const Point& point : series.points) plot.add(dot(plot, point, series_class(i)));
  }
  return plot.svg();
}

std::string scatter_chart(const LineChart& chart) {
  Plot plot(chart.x, chart.y, chart.description);
  const bool named = std::ranges::all_of(
      chart.series, [](const Series& series) { return series.points.size() == 1; });
  if (!named) add_legend(chart, plot);
  plot.add(references(plot, chart));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    for (const Point& point : chart.series[i].points) {
      plot.add(dot(plot, point, series_class(i)));
      if (named) plot.add(name_beside(plot, point, chart.series[i].name));
    }
  }
  return plot.svg();
}

}  // namespace septet::command
