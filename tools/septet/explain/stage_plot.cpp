// Time by stage as horizontal bars.
#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/explain/explain_plots.hpp"
#include "tools/septet/short_name.hpp"
#include "tools/septet/svg.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr double kWidth = 980;
constexpr double kLabels = 250;  // where bars begin
constexpr double kBarWidth = 580;
constexpr double kRow = 28;
constexpr double kBar = 18;
constexpr double kTop = 96;
constexpr const char* kSmall = "class=\"small\"";

// Colours that colour-blind readers can tell apart (Okabe and Ito, "Color Universal Design", 2008).
const char* colour_of(std::size_t stage) {
  static constexpr const char* kColours[kEnumSize<explain::Stage>] = {
      "#9aa3ad", "#d79bc0", "#f0c84b", "#e07a3f", "#7cc3ee", "#2ca678", "#2878b5"};
  return kColours[stage];
}

struct Bar {
  std::string label;
  std::string tooltip;
  explain::StageTimes stages;
};

std::vector<Bar> bars_of(const std::vector<explain::Explanation>& kernels) {
  std::vector<Bar> out;
  if (kernels.size() > 1) {
    for (const explain::Explanation& e : kernels) {
      const std::string id = e.profiled ? e.profiled->id + " " : "";
      out.push_back({id + short_kernel_name(e.title), e.title, e.stages});
    }
    return out;
  }
  for (std::size_t s = 0; s < kEnumSize<explain::Stage>; ++s) {
    explain::StageTimes one;
    one.of[s] = kernels.front().stages.of[s];
    const std::string name(text_of(static_cast<explain::Stage>(s)));
    out.push_back({fmt::format("{} {}", s + 1, name), name, one});
  }
  return out;
}

// The stages that occur. Of one kernel each has a bar with its name.
std::string legend(const std::vector<Bar>& bars) {
  std::string out;
  double x = 24;
  for (std::size_t s = 0; s < kEnumSize<explain::Stage>; ++s) {
    if (std::ranges::none_of(bars,
                             [&](const Bar& one) { return one.stages.of[s] > Duration(0); })) {
      continue;
    }
    const std::string name(text_of(static_cast<explain::Stage>(s)));
    out += svg_rect(x, 50, 12, 12, colour_of(s), name);
    out += svg_text(x + 17, 60, kSmall, name);
    x += 17 + 6.7 * static_cast<double>(text_width(name)) + 14;
  }
  return out;
}

std::string axis(double most_us, double bottom) {
  constexpr int kMarks = 8;
  std::string out;
  const double step = axis_step(most_us, kMarks);
  for (int mark = 0; mark * step <= most_us * (1 + 1e-9); ++mark) {
    const double x = kLabels + kBarWidth * mark * step / most_us;
    out += svg_line(x, kTop - 8, x, bottom, "stroke=\"#e3e6ea\"");
    out += svg_text(x, bottom + 16, "class=\"small\" text-anchor=\"middle\"",
                    fmt::format("{:.10g}", mark * step));
  }
  return out + svg_text(kLabels + kBarWidth + 30, bottom + 16, kSmall, "time in us");
}

std::string bar(const Bar& one, double most_us, double y) {
  std::string out = fmt::format("<g><title>{}</title>\n", xml_text(one.tooltip));
  out += svg_text(kLabels - 10, y + 13, "class=\"small\" text-anchor=\"end\"",
                  shorten(printable(one.label), 34));
  double x = kLabels;
  for (std::size_t s = 0; s < kEnumSize<explain::Stage>; ++s) {
    const double width = kBarWidth * to_us(one.stages.of[s]) / most_us;
    if (width <= 0) continue;
    out += svg_rect(x, y, width, kBar, colour_of(s),
                    fmt::format("{}: {:.3f} us", text_of(static_cast<explain::Stage>(s)),
                                to_us(one.stages.of[s])));
    x += width;
  }
  out += svg_text(x + 8, y + 13, kSmall, fmt::format("{:.3g} us", to_us(one.stages.total())));
  return out + "</g>\n";
}

}  // namespace

std::string stages_svg(const std::vector<explain::Explanation>& kernels) {
  const std::vector<Bar> bars = bars_of(kernels);
  double most_us = 1e-6;
  for (const Bar& one : bars) most_us = std::max(most_us, to_us(one.stages.total()));
  const double bottom = kTop + kRow * static_cast<double>(bars.size());
  const std::string what =
      kernels.size() == 1 ? kernels.front().title : fmt::format("{} kernels", kernels.size());
  std::string out = svg_header(kWidth, bottom + 36);
  out += svg_text(
      24, 30, "class=\"title\"",
      shorten(printable(fmt::format("Time by stage on {}: {}", kernels.front().gpu, what)), 100));
  if (kernels.size() > 1) out += legend(bars);
  out += axis(most_us, bottom);
  double y = kTop;
  for (const Bar& one : bars) {
    out += bar(one, most_us, y);
    y += kRow;
  }
  return out + "</svg>\n";
}

}  // namespace septet::command
