#include "tools/septet/report/charts/plot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/svg.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

constexpr int kMarks = 6;
constexpr double kLetter = 6.9;  // mean width of a letter of marks
constexpr std::size_t kColours = 8;

double place(const Axis& axis, double value) {
  if (!axis.logarithmic) return (value - axis.least) / (axis.most - axis.least);
  return std::log(std::max(value, axis.least) / axis.least) / std::log(axis.most / axis.least);
}

std::vector<double> marks_of(const Axis& axis) {
  std::vector<double> out;
  if (!axis.logarithmic) {
    const double step = axis_step(axis.most - axis.least, kMarks);
    const double first = std::ceil(axis.least / step - 1e-9);
    for (int i = 0; (first + i) * step <= axis.most * (1 + 1e-9); ++i) {
      out.push_back((first + i) * step);
    }
    return out;
  }
  const bool few = std::log10(axis.most / axis.least) < 2.5;
  for (double ten = std::pow(10, std::floor(std::log10(axis.least))); ten <= axis.most; ten *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double mark = ten * factor;
      const bool shown = factor == 1.0 || few;
      if (shown && mark >= axis.least * (1 - 1e-9) && mark <= axis.most * (1 + 1e-9)) {
        out.push_back(mark);
      }
    }
  }
  return out;
}

}  // namespace

Axis axis_over(std::string label, const std::vector<double>& values, bool logarithmic) {
  Axis out{std::move(label), 0, 1, logarithmic};
  if (values.empty()) return out;
  const auto [least, most] = std::ranges::minmax(values);
  if (logarithmic) {
    const double top = std::max(most, 1e-12);
    out.least = std::pow(10, std::floor(std::log10(std::max(least, top * 1e-6)) * 3) / 3);
    out.most = std::pow(10, std::ceil(std::log10(top * 1.001) * 3) / 3);
    return out;
  }
  out.least = std::min(0.0, least);
  if (most > out.least) {
    const double step = axis_step(most - out.least, kMarks);
    out.most = out.least + std::ceil((most - out.least) / step) * step;
  } else {
    out.most = out.least + 1;
  }
  return out;
}

Plot::Plot(Axis x, Axis y, std::string description)
    : x_(std::move(x)), y_(std::move(y)), description_(std::move(description)) {}

double Plot::x(double value) const { return left() + place(x_, value) * (right() - left()); }
double Plot::y(double value) const { return bottom() - place(y_, value) * (bottom() - top()); }

double Plot::label_end() const {
  return left() - 8 + kLetter * static_cast<double>(text_width(y_.label));
}

std::string Plot::x_axis() const {
  std::string out;
  for (const double mark : marks_of(x_)) {
    const double at = x(mark);
    out += svg_line(at, top(), at, bottom(), "class=\"grid\"");
    out += chart_text(at, bottom() + 17, "mark middle", rounded(mark));
  }
  return out + svg_line(left(), bottom(), right(), bottom(), "class=\"axis\"") +
         chart_text((left() + right()) / 2, kHeight - 8, "label middle", x_.label);
}

std::string Plot::y_axis() const {
  std::string out;
  for (const double mark : marks_of(y_)) {
    const double at = y(mark);
    out += svg_line(left(), at, right(), at, "class=\"grid\"");
    out += chart_text(left() - 8, at + 4, "mark end", rounded(mark));
  }
  return out + chart_text(left() - 8, top() - 16, "label", y_.label);
}

std::string Plot::svg() const {
  return svg_opening(kWidth, kHeight, description_) + x_axis() + y_axis() + body_ + "</svg>\n";
}

std::string svg_opening(double width, double height, const std::string& description) {
  return fmt::format(
      "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 {:.0f} {:.0f}\" aria-label=\"{}\">\n", width,
      height, xml_text(description));
}

std::string chart_text(double x, double y, const char* style, const std::string& text) {
  return svg_text(x, y, fmt::format("class=\"{}\"", style), text);
}

std::string chart_rect(double x, double y, double width, double height, const std::string& style,
                       const std::string& tooltip) {
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "data-tip=\"{}\"/>\n",
      style, x, y, std::max(width, 0.0), height, xml_text(tooltip));
}

std::string series_class(std::size_t series) { return fmt::format("s{}", series % kColours + 1); }

std::string legend(const std::vector<std::string>& names, double x, double y) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out +=
        fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"11\" height=\"11\"/>\n",
                    series_class(i), x, y - 9.5);
    out += chart_text(x + 16, y, "mark", names[i]);
    x += 16 + kLetter * static_cast<double>(text_width(names[i])) + 14;
  }
  return out;
}

}  // namespace septet::command
