#include "tools/septet/study/what_if_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/septet/study/what_if_table.hpp"
#include "tools/septet/svg.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr double kWidth = 980;
constexpr double kMargin = 24;
constexpr double kBarWidth = 740;  // of the longest bar; its figures stand to its right
constexpr double kBarHeight = 20;
constexpr double kRowHeight = 70;
constexpr double kColumn = 7.9;       // of the monospaced font at 13 px; 0.6 em and a little
constexpr double kSmallColumn = 6.7;  // at 11 px
constexpr double kShareWidth = 44;    // a segment narrower than this gets no figure

constexpr const char* kName = "class=\"name\"";
constexpr const char* kSmall = "class=\"small\"";
constexpr const char* kFigure = "class=\"figure\"";

// A run as it is drawn.
struct Bar {
  std::string name;
  Duration span{};
  double speedup = 1;
  const analysis::Attribution& attribution;
  std::string limit;
};

Bar bar_of(const study::Outcome& outcome, const std::string& name) {
  const analysis::RunSummary& run = outcome.summary;
  return {name, run.span, outcome.speedup, run.attribution, limit_text(run)};
}

std::vector<Bar> bars_of(const study::StudyResult& result, const std::string& as_it_is) {
  std::vector<Bar> out{bar_of(result.baseline, as_it_is)};
  for (const study::Outcome& outcome : result.what_ifs) {
    if (outcome.failure.empty()) out.push_back(bar_of(outcome, outcome.name));
  }
  return out;
}

struct Unit {
  double per_us;
  const char* name;
};

Unit unit_for(Duration longest) {
  if (longest < 10_ms) return {1, "us"};
  return longest < 10_s ? Unit{1e-3, "ms"} : Unit{1e-6, "s"};
}

struct Scale {
  Unit unit;
  double most = 1;  // in the unit, at the right end of the longest bar

  double value(Duration time) const { return to_us(time) * unit.per_us; }
  double x(double value) const { return kMargin + kBarWidth * value / most; }
};

Scale scale_for(const std::vector<Bar>& bars) {
  Duration longest(1);
  for (const Bar& one : bars) longest = std::max(longest, one.span);
  const Unit unit = unit_for(longest);
  return {unit, to_us(longest) * unit.per_us};
}

std::string fitting(const std::string& text, double width, double column) {
  return shorten(printable(text), static_cast<std::size_t>(width / column));
}

std::vector<analysis::TimeCategory> categories_of(const std::vector<Bar>& bars) {
  std::vector<analysis::TimeCategory> out;
  for (const analysis::TimeCategory category : values_of<analysis::TimeCategory>()) {
    const bool occurs = std::any_of(bars.begin(), bars.end(), [&](const Bar& one) {
      return one.attribution[category] > Duration(0);
    });
    if (occurs) out.push_back(category);
  }
  return out;
}

// The categories that occur, in rows as wide as the picture. Moves `y` below them.
std::string legend(const std::vector<Bar>& bars, double& y) {
  std::string out;
  double x = kMargin;
  for (const analysis::TimeCategory category : categories_of(bars)) {
    const std::string label = label_of(category);
    const double width = 18 + kSmallColumn * static_cast<double>(text_width(label)) + 16;
    if (x + width > kWidth - kMargin) {
      x = kMargin;
      y += 20;
    }
    out += svg_rect(x, y - 10, 12, 12, colour_of(category), std::string(text_of(category)));
    out += svg_text(x + 18, y, kSmall, label);
    x += width;
  }
  y += 18;
  return out;
}

// Lines and figures of the time axis, between `top` and `bottom`.
std::string axis(const Scale& scale, double top, double bottom) {
  constexpr int kMarks = 8;
  std::string out;
  const double step = axis_step(scale.most, kMarks);
  for (int mark = 0; mark * step <= scale.most * (1 + 1e-9); ++mark) {
    const double x = scale.x(mark * step);
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#e3e6ea\"/>\n",
        x, top, bottom);
    out += svg_text(x, bottom + 15, "class=\"small\" text-anchor=\"middle\"",
                    fmt::format("{:.10g}", mark * step));
  }
  out += svg_text(kMargin + kBarWidth + 40, bottom + 15, kSmall,
                  fmt::format("time in {}", scale.unit.name));
  return out;
}

std::string segments(const Bar& one, const Scale& scale, double y) {
  std::string out;
  Duration before{};
  for (const analysis::TimeCategory category : values_of<analysis::TimeCategory>()) {
    const Duration time = one.attribution.mean(category);
    if (time <= Duration(0)) continue;
    const double x = scale.x(scale.value(before));
    const double width = scale.x(scale.value(before + time)) - x;
    const double share = 100.0 * ratio(time, one.span);
    out += svg_rect(x, y, width, kBarHeight, colour_of(category),
                    fmt::format("{}: {:.1f} us, {:.1f} %", label_of(category), to_us(time), share));
    if (width >= kShareWidth) {
      out += svg_text(x + width / 2, y + 14.5, "class=\"figure\" text-anchor=\"middle\"",
                      fmt::format("{:.0f} %", share));
    }
    before += time;
  }
  return out;
}

std::string row(const Bar& one, const Scale& scale, double y) {
  const double width = kWidth - 2 * kMargin;
  std::string out = fmt::format("<g><title>{}</title>\n", xml_text(one.name));
  out += svg_text(kMargin, y + 13, kName, fitting(one.name, width, kColumn));
  out += segments(one, scale, y + 19);
  out += svg_text(
      scale.x(scale.value(one.span)) + 8, y + 19 + 14.5, kFigure,
      fmt::format("{:.4g} {}, {:.2f}x", scale.value(one.span), scale.unit.name, one.speedup));
  out += svg_text(kMargin, y + 19 + kBarHeight + 13, kSmall,
                  fitting("limited by " + one.limit, width, kSmallColumn));
  return out + "</g>\n";
}

}  // namespace

// Colours that colour-blind readers can tell apart (Okabe and Ito, "Color Universal Design", 2008),
// greys for the rest.
const char* colour_of(analysis::TimeCategory category) {
  static constexpr const char* kColours[kEnumSize<analysis::TimeCategory>] = {
      "#2ca678", "#2ca678", "#3a6fb0", "#8c5fa8", "#7cc3ee", "#e07a3f",
      "#f0c84b", "#9aa3ad", "#d79bc0", "#b08f6a", "#5f6b76", "#e3e6ea"};
  return kColours[static_cast<std::size_t>(category)];
}

const char* label_of(analysis::TimeCategory category) {
  static constexpr const char* kLabels[kEnumSize<analysis::TimeCategory>] = {
      "kernels run",
      "kernels compute",
      "only collectives transfer",
      "waiting for ranks",
      "only copies run",
      "idle: launch",
      "idle: dependency",
      "idle: CPU works",
      "idle: after synchronisation",
      "idle: other CUDA calls",
      "idle: waits for something unrecorded",
      "no more GPU work"};
  return kLabels[static_cast<std::size_t>(category)];
}

std::string what_if_chart(const study::StudyResult& result, const std::string& as_it_is,
                          const std::string& title) {
  const std::vector<Bar> bars = bars_of(result, as_it_is);
  const Scale scale = scale_for(bars);
  double y = 32;
  std::string body =
      svg_text(kMargin, y, "class=\"title\"",
               fitting("Where the time goes: " + title, kWidth - 2 * kMargin, 15 * kColumn / 13));
  y += 26;
  body += legend(bars, y);
  const double bottom = y + kRowHeight * static_cast<double>(bars.size());
  body += axis(scale, y, bottom);
  for (const Bar& one : bars) {
    body += row(one, scale, y);
    y += kRowHeight;
  }
  return svg_header(kWidth, bottom + 32) + body + "</svg>\n";
}

}  // namespace septet::command
