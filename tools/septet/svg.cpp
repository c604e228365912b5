#include "tools/septet/svg.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tools/septet/text_width.hpp"

namespace septet::command {

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string svg_text(double x, double y, std::string_view style, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, xml_text(text));
}

std::string svg_rect(double x, double y, double width, double height, std::string_view fill,
                     std::string_view tooltip) {
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" fill=\"{}\">"
      "<title>{}</title></rect>\n",
      x, y, width, height, fill, xml_text(tooltip));
}

std::string svg_header(double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<style>\n"
      "text {{ font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #1c2127 }}\n"
      ".title {{ font-size: 15px; font-weight: bold }}\n"
      ".name {{ font-size: 13px; font-weight: bold }}\n"
      ".figure {{ font-size: 13px }}\n"
      ".small {{ font-size: 11px; fill: #57606a }}\n"
      "</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height);
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

double axis_step(double most, int marks) {
  const double least = most / marks;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

}  // namespace septet::command
