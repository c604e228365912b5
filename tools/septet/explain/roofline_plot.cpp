// Kernels under the roofline of their GPU: operations a second against operations a byte of DRAM,
// both in decades.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "tools/septet/explain/explain_plots.hpp"
#include "tools/septet/short_name.hpp"
#include "tools/septet/svg.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr double kWidth = 980;
constexpr double kHeight = 620;
constexpr double kLeft = 90;
constexpr double kRight = 950;
constexpr double kTop = 84;
constexpr double kBottom = 540;
constexpr std::size_t kMostNames = 12;  // of more points only the worst are named
constexpr std::size_t kWorst = 5;
constexpr double kTera = 1e12;
constexpr const char* kGrid = "stroke=\"#e3e6ea\"";
constexpr const char* kSmall = "class=\"small\"";

const char* colour_of(explain::Bound bound) {
  static constexpr const char* kColours[] = {"#2878b5", "#c85a1e", "#2c8c5f"};
  return kColours[static_cast<std::size_t>(bound)];
}

struct Axis {
  double least = 0;  // decades
  double most = 1;
  double from = 0;  // pixels
  double to = 1;

  double at(double value) const {
    return from + (to - from) * (std::log10(value) - least) / (most - least);
  }
};

struct Frame {
  Axis x, y;
};

// Whether the kernel has a place in the plane.
bool is_point(const explain::Explanation& e) {
  return e.metrics.arithmetic.operations > 0 && e.metrics.arithmetic.intensity > 0;
}

// What a kernel could reach at its intensity. Of the arithmetic roofs the lowest that is not below
// the kernel applies: one that is faster than the FMA pipes runs on tensor cores.
struct Limit {
  std::string name;
  double per_second = 0;
};

Limit limit_of(const explain::Explanation& e) {
  const explain::Arithmetic& a = e.metrics.arithmetic;
  const explain::Ceilings& roof = e.ceilings;
  Limit out{"DRAM", roof.dram * a.intensity};
  for (const explain::Ceiling& one : roof.arithmetic) {
    if (one.per_second < a.per_second) continue;
    if (one.per_second < out.per_second) out = {one.name, one.per_second};
    break;
  }
  return out;
}

// "62 % of DRAM"
std::string limit_text(const explain::Explanation& e) {
  const Limit limit = limit_of(e);
  return fmt::format("{:.0f} % of {}", 100.0 * e.metrics.arithmetic.per_second / limit.per_second,
                     limit.name);
}

// Time that the kernel would not take if it reached what applies to it.
double lost_seconds(const explain::Explanation& e) {
  const double reached = e.metrics.arithmetic.per_second / limit_of(e).per_second;
  return to_seconds(e.metrics.kernel_time) * (1 - reached);
}

// The points that get a name: all of a few, else those that lose the most time.
std::vector<const explain::Explanation*> named_points(
    const std::vector<explain::Explanation>& kernels) {
  std::vector<const explain::Explanation*> out;
  for (const explain::Explanation& e : kernels) {
    if (is_point(e)) out.push_back(&e);
  }
  if (out.size() <= kMostNames) return out;
  std::ranges::stable_sort(out, [](const explain::Explanation* a, const explain::Explanation* b) {
    return lost_seconds(*a) > lost_seconds(*b);
  });
  out.resize(kWorst);
  return out;
}

Frame frame_of(const std::vector<explain::Explanation>& kernels) {
  const explain::Ceilings& roof = kernels.front().ceilings;
  const double highest = roof.arithmetic.back().per_second;
  double left = 0.1;
  double right = 10.0 * highest / roof.dram;
  double low = highest * 1e-3;
  for (const explain::Explanation& e : kernels) {
    if (!is_point(e)) continue;
    left = std::min(left, e.metrics.arithmetic.intensity / 2);
    right = std::max(right, e.metrics.arithmetic.intensity * 2);
    low = std::min(low, e.metrics.arithmetic.per_second / 2);
  }
  const auto floor10 = [](double v) { return std::floor(std::log10(v)); };
  return {{floor10(left), std::ceil(std::log10(right)), kLeft, kRight},
          {floor10(low), std::ceil(std::log10(highest * 1.5)), kBottom, kTop}};
}

std::string power_text(double decade, double unit) {
  return fmt::format("{:.4g}", std::pow(10.0, decade) / unit);
}

std::string axes(const Frame& f) {
  std::string out;
  for (double d = f.x.least; d <= f.x.most; ++d) {
    const double x = f.x.at(std::pow(10.0, d));
    out += svg_line(x, kTop, x, kBottom, kGrid);
    out += svg_text(x, kBottom + 18, "class=\"small\" text-anchor=\"middle\"", power_text(d, 1));
  }
  for (double d = f.y.least; d <= f.y.most; ++d) {
    const double y = f.y.at(std::pow(10.0, d));
    out += svg_line(kLeft, y, kRight, y, kGrid);
    out += svg_text(kLeft - 8, y + 4, "class=\"small\" text-anchor=\"end\"", power_text(d, kTera));
  }
  out += svg_text((kLeft + kRight) / 2, kBottom + 42, "class=\"figure\" text-anchor=\"middle\"",
                  "operations per byte of DRAM");
  const double middle = (kTop + kBottom) / 2;
  out += svg_text(24, middle,
                  fmt::format("class=\"figure\" text-anchor=\"middle\" "
                              "transform=\"rotate(-90 24 {:.1f})\"",
                              middle),
                  "10^12 operations per second (Top/s)");
  return out;
}

// From the left edge up to the highest arithmetic.
std::string slope(const Frame& f, double bytes_per_second, double highest, const char* style,
                  const std::string& name) {
  const double low = std::pow(10.0, f.y.least);
  const double from = std::max(std::pow(10.0, f.x.least), low / bytes_per_second);
  const double to = highest / bytes_per_second;
  const double angle = -180.0 / M_PI *
                       std::atan2((kBottom - kTop) / (f.y.most - f.y.least),
                                  (kRight - kLeft) / (f.x.most - f.x.least));
  std::string out =
      svg_line(f.x.at(from), f.y.at(from * bytes_per_second), f.x.at(to), f.y.at(highest), style);
  const double x = f.x.at(from * 1.3);
  const double y = f.y.at(from * 1.3 * bytes_per_second) - 6;
  out += svg_text(
      x, y, fmt::format("class=\"small\" transform=\"rotate({:.1f} {:.1f} {:.1f})\"", angle, x, y),
      name);
  return out;
}

// What stands at the right end of a roof, and the line that it stands on.
std::string roof_text(const explain::Ceiling& roof) {
  return fmt::format("{}: {:.4g} Top/s", roof.name, roof.per_second / kTera);
}

double roof_line(const Frame& f, const explain::Ceiling& roof) {
  return f.y.at(roof.per_second) - 5;
}

std::string roofs(const Frame& f, const explain::Ceilings& roof) {
  const double highest = roof.arithmetic.back().per_second;
  std::string out = slope(f, roof.dram, highest, "stroke=\"#1c2127\" stroke-width=\"2\"",
                          fmt::format("DRAM {:.3g} TB/s", roof.dram / kTera));
  out += slope(f, roof.l2, highest, "stroke=\"#9aa3ad\" stroke-dasharray=\"5 4\"",
               fmt::format("L2 {:.3g} TB/s", roof.l2 / kTera));
  for (const explain::Ceiling& one : roof.arithmetic) {
    const double y = f.y.at(one.per_second);
    const double from = f.x.at(std::max(one.per_second / roof.l2, std::pow(10.0, f.x.least)));
    out += svg_line(from, y, kRight, y, "stroke=\"#1c2127\" stroke-width=\"1.5\"");
    out += svg_text(kRight - 4, roof_line(f, one), "class=\"small\" text-anchor=\"end\"",
                    roof_text(one));
  }
  return out;
}

std::string point(const Frame& f, const explain::Explanation& e) {
  const explain::Arithmetic& a = e.metrics.arithmetic;
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\" fill-opacity=\"0.8\">"
      "<title>{}: {:.2f} us, {:.4g} operations per byte, {:.4g} Top/s, {}</title></circle>\n",
      f.x.at(a.intensity), f.y.at(a.per_second), colour_of(e.metrics.bound), xml_text(e.title),
      to_us(e.metrics.kernel_time), a.intensity, a.per_second / kTera, limit_text(e));
}

// From the point up to what applies to it.
std::string gap(const Frame& f, const explain::Explanation& e) {
  const explain::Arithmetic& a = e.metrics.arithmetic;
  const double x = f.x.at(a.intensity);
  return svg_line(x, f.y.at(a.per_second), x, f.y.at(limit_of(e).per_second),
                  "stroke=\"#57606a\" stroke-dasharray=\"2 3\"");
}

struct Label {
  double x = 0;
  double y = 0;
  std::string text;
  bool left = false;  // of its point
};

// Below all roofs that its text would cross or cover the name of.
// `roofs`: the highest first.
double below_roofs(const Frame& f, const std::vector<explain::Ceiling>& roofs, double y) {
  constexpr double kTextHeight = 9;
  constexpr double kBelowName = 8;  // the roof's line and its margin
  for (const explain::Ceiling& roof : roofs) {
    const double name = roof_line(f, roof);
    const bool crosses = y > name - kTextHeight && y - kTextHeight < name + kBelowName;
    if (crosses) y = name + kBelowName + kTextHeight;
  }
  return y;
}

// Beside their points, from the top down, each at least a line below the one above.
std::string labels(const Frame& f, const std::vector<const explain::Explanation*>& named,
                   const std::vector<explain::Ceiling>& roofs, bool with_names) {
  constexpr double kLine = 14;
  std::vector<Label> all;
  for (const explain::Explanation* e : named) {
    const explain::Arithmetic& a = e->metrics.arithmetic;
    const double x = f.x.at(a.intensity);
    const std::string name = shorten(printable(short_kernel_name(e->title)), 40);
    all.push_back({x, f.y.at(a.per_second) + 16,
                   with_names ? fmt::format("{}: {}", name, limit_text(*e)) : limit_text(*e),
                   x > (kLeft + kRight) / 2});
  }
  std::ranges::stable_sort(all, {}, &Label::y);
  std::string out;
  double above = 0;
  for (Label& one : all) {
    one.y = below_roofs(f, roofs, std::max(one.y, above + kLine));
    above = one.y;
    out += svg_text(one.left ? one.x - 10 : one.x + 10, one.y,
                    one.left ? "class=\"small\" text-anchor=\"end\"" : kSmall, one.text);
  }
  return out;
}

// Where points differ in what bounds them, and what is not there.
std::string legend(const std::vector<explain::Explanation>& kernels, std::size_t left_out) {
  std::string out;
  double x = kLeft;
  std::set<explain::Bound> bounds;
  for (const explain::Explanation& e : kernels) {
    if (is_point(e)) bounds.insert(e.metrics.bound);
  }
  for (const explain::Bound bound : bounds) {
    if (bounds.size() < 2) break;
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"56\" r=\"6\" fill=\"{}\"/>\n", x + 6,
                       colour_of(bound));
    out += svg_text(x + 18, 60, kSmall, std::string(text_of(bound)) + "-bound");
    x += 130;
  }
  if (left_out > 0) {
    out += svg_text(x, 60, kSmall,
                    fmt::format("not shown, without arithmetic or DRAM traffic: {}", left_out));
  }
  return out;
}

}  // namespace

std::string roofline_svg(const std::vector<explain::Explanation>& kernels) {
  const Frame f = frame_of(kernels);
  const auto points = static_cast<std::size_t>(std::ranges::count_if(kernels, is_point));
  std::string out = svg_header(kWidth, kHeight);
  const std::string what =
      kernels.size() == 1 ? kernels.front().title : fmt::format("{} kernels", kernels.size());
  out += svg_text(
      24, 30, "class=\"title\"",
      shorten(printable(fmt::format("Roofline of {}: {}", kernels.front().gpu, what)), 100));
  out += legend(kernels, kernels.size() - points) + axes(f) + roofs(f, kernels.front().ceilings);
  const std::vector<const explain::Explanation*> named = named_points(kernels);
  for (const explain::Explanation* e : named) out += gap(f, *e);
  for (const explain::Explanation& e : kernels) {
    if (is_point(e)) out += point(f, e);
  }
  std::vector<explain::Ceiling> from_the_top = kernels.front().ceilings.arithmetic;
  std::ranges::reverse(from_the_top);
  out += labels(f, named, from_the_top, kernels.size() > 1);  // of one the title is the name
  return out + "</svg>\n";
}

}  // namespace septet::command
