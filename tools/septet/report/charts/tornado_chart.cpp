#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/svg.hpp"

namespace septet::command {
namespace {

constexpr double kWidth = 760;
constexpr double kNames = 200;
constexpr double kRight = 40;
constexpr double kTop = 26;
constexpr double kRow = 40;
constexpr double kBar = 20;
constexpr int kMarks = 6;
constexpr double kFarthest = 3;  // times the base or the limit

struct Scale {
  double least = 0;
  double most = 1;
  // What lies far beyond ends at the frame.
  double x(double value) const {
    const double share = (std::min(value, most) - least) / (most - least);
    return kNames + share * (kWidth - kNames - kRight);
  }
};

Scale scale_of(const TornadoChart& chart) {
  double least = chart.base;
  double most = std::max(chart.base, chart.limit.value_or(chart.base));
  for (const TornadoRow& row : chart.rows) {
    for (const std::optional<double>& value : {row.low, row.high}) {
      if (!value) continue;
      least = std::min(least, *value);
      most = std::max(most, *value);
    }
  }
  most = std::min(most, kFarthest * std::max(chart.base, chart.limit.value_or(chart.base)));
  const double margin = std::max((most - least) * 0.08, 1e-9 + chart.base * 0.02);
  return {std::max(0.0, least - margin), most + margin};
}

std::string side(const TornadoChart& chart, const Scale& scale, double y,
                 const std::optional<double>& value, const std::string& label, std::size_t series) {
  if (!value) return "";
  const double from = scale.x(std::min(chart.base, *value));
  const double to = scale.x(std::max(chart.base, *value));
  const std::string tip = fmt::format("{}: {}", label, rounded(*value, 4));
  const bool left = *value < chart.base;
  return chart_rect(from, y, to - from, kBar, series_class(series), tip) +
         chart_text(left ? from - 5 : to + 5, y + 14, left ? "mark end" : "mark",
                    *value == chart.base ? "" : rounded(*value));
}

}  // namespace

std::string tornado_chart(const TornadoChart& chart) {
  const Scale scale = scale_of(chart);
  const double bottom = kTop + kRow * static_cast<double>(chart.rows.size());
  std::string body;
  const double step = axis_step(scale.most - scale.least, kMarks);
  for (double mark = step * static_cast<int>(scale.least / step + 0.999); mark <= scale.most;
       mark += step) {
    body += svg_line(scale.x(mark), kTop - 6, scale.x(mark), bottom, "class=\"grid\"");
    body += chart_text(scale.x(mark), bottom + 15, "mark middle", rounded(mark));
  }
  double y = kTop;
  for (const TornadoRow& row : chart.rows) {
    body += chart_text(kNames - 10, y + 10, "name end", row.name);
    body += chart_text(kNames - 10, y + 24, "mark end",
                       fmt::format("{} .. {}", row.low_label, row.high_label));
    body += side(chart, scale, y, row.low, row.low_label, 0);
    body += side(chart, scale, y, row.high, row.high_label, 1);
    y += kRow;
  }
  if (chart.limit && *chart.limit > scale.least && *chart.limit < scale.most) {
    const double at = scale.x(*chart.limit);
    body += svg_line(at, kTop - 8, at, bottom, "class=\"reference\"");
    body += chart_text(at + 5, bottom - 4, "reference", "limit");
  }
  const double base = scale.x(chart.base);
  body += svg_line(base, kTop - 8, base, bottom, "class=\"axis\"");
  body += chart_text(base, kTop - 12, "mark middle", "as assumed: " + rounded(chart.base));
  body += chart_text(kNames, bottom + 34, "label", chart.label);
  return svg_opening(kWidth, bottom + 42, chart.description) + body + "</svg>\n";
}

}  // namespace septet::command
