#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/svg.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr double kWidth = 760;
constexpr double kNames = 220;    // where bars begin
constexpr double kFigures = 115;  // behind the longest bar
constexpr double kRow = 30;
constexpr double kBar = 18;
constexpr double kLegendLine = 18;
constexpr double kLetter = 6.9;
constexpr std::size_t kNameLetters = 27;
constexpr int kMarks = 6;

double total(const BarRow& row) { return std::accumulate(row.parts.begin(), row.parts.end(), 0.0); }

// In as many lines as it takes; the y of what follows.
double add_legend(const std::vector<std::string>& names, std::string& out) {
  double x = 0;
  double y = 14;
  if (names.size() < 2) return 6;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double width = 16 + kLetter * static_cast<double>(text_width(names[i])) + 14;
    if (x + width > kWidth) {
      x = 0;
      y += kLegendLine;
    }
    out +=
        fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"11\" height=\"11\"/>\n",
                    series_class(i), x, y - 9.5);
    out += chart_text(x + 16, y, "mark", names[i]);
    x += width;
  }
  return y + 14;
}

std::string bar(const BarChart& chart, const BarRow& row, double scale, double y) {
  std::string out =
      chart_text(kNames - 10, y + 13, "name end", shorten(printable(row.name), kNameLetters));
  double x = kNames;
  for (std::size_t i = 0; i < row.parts.size(); ++i) {
    if (row.parts[i] <= 0) continue;
    const double width = row.parts[i] * scale;
    const std::string tip =
        row.tooltip.empty()
            ? fmt::format("{}: {} {}", row.name, chart.series[i], rounded(row.parts[i]))
            : row.tooltip;
    out += chart_rect(x, y, width, kBar, series_class(i), tip);
    x += width;
  }
  return out + chart_text(x + 8, y + 13, "mark", row.figure);
}

}  // namespace

std::string bar_chart(const BarChart& chart) {
  double most = 1e-12;
  for (const BarRow& row : chart.rows) most = std::max(most, total(row));
  const double scale = (kWidth - kNames - kFigures) / most;
  std::string body;
  const double top = add_legend(chart.series, body);
  const double bottom = top + kRow * static_cast<double>(chart.rows.size());
  const double step = axis_step(most, kMarks);
  for (int mark = 0; mark * step <= most * (1 + 1e-9); ++mark) {
    const double x = kNames + mark * step * scale;
    body += svg_line(x, top - 4, x, bottom, "class=\"grid\"");
    body += chart_text(x, bottom + 15, "mark middle", rounded(mark * step));
  }
  body += chart_text(kNames, bottom + 34, "label", chart.label);
  double y = top;
  for (const BarRow& row : chart.rows) {
    body += bar(chart, row, scale, y);
    y += kRow;
  }
  return svg_opening(kWidth, bottom + 42, chart.description) + body + "</svg>\n";
}

}  // namespace septet::command
