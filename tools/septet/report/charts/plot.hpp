// The frame of a chart: axes, grid and where values lie. Colours are classes of report.css, so that
// charts follow the page: light, dark or printed.
#pragma once

#include <string>
#include <vector>

namespace septet::command {

struct Axis {
  std::string label;  // with its unit
  double least = 0;
  double most = 1;
  bool logarithmic = false;
};

// The axis over these values: from 0 (or the least, where it is logarithmic) to a round number.
Axis axis_over(std::string label, const std::vector<double>& values, bool logarithmic = false);

class Plot {
 public:
  static constexpr double kWidth = 760;
  static constexpr double kHeight = 320;

  // `description`: for those who can't see it.
  Plot(Axis x, Axis y, std::string description);

  double x(double value) const;
  double y(double value) const;
  double left() const { return kLeft; }
  double right() const { return kWidth - kRight; }
  double top() const { return kTop; }
  double bottom() const { return kHeight - kBottom; }
  double label_end() const;  // of the y axis

  void add(const std::string& svg) { body_ += svg; }
  std::string svg() const;

 private:
  static constexpr double kLeft = 62;
  static constexpr double kRight = 22;
  static constexpr double kTop = 34;
  static constexpr double kBottom = 46;

  std::string x_axis() const;
  std::string y_axis() const;

  Axis x_;
  Axis y_;
  std::string description_;
  std::string body_;
};

// An element with a class and a tooltip.
std::string svg_opening(double width, double height, const std::string& description);
std::string chart_text(double x, double y, const char* style, const std::string& text);
std::string chart_rect(double x, double y, double width, double height, const std::string& style,
                       const std::string& tooltip);

// Series get the classes "s1" to "s8".
std::string series_class(std::size_t series);

// Names with their colours, one line.
std::string legend(const std::vector<std::string>& names, double x, double y);

}  // namespace septet::command
