// Parts of SVG files. Text is set in a monospaced font, so that its width is known.
#pragma once

#include <string>
#include <string_view>

namespace septet::command {

// `text` as it may stand in an element or attribute: characters with a meaning in XML are escaped,
// control characters are blanks, invalid UTF-8 is '?'.
std::string xml_text(std::string_view text);

// `<text>` at (x, y); `style` are further attributes, without the leading blank.
std::string svg_text(double x, double y, std::string_view style, std::string_view text);

// `<rect>` with a tooltip.
std::string svg_rect(double x, double y, double width, double height, std::string_view fill,
                     std::string_view tooltip);

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view style);

// The begin of a file on a white ground: classes title, name, figure and small for text. It ends
// with "</svg>".
std::string svg_header(double width, double height);

// Distance between the marks of an axis from 0 to `most` that has at most `marks` intervals: 1, 2
// or 5 times a power of ten.
double axis_step(double most, int marks);

}  // namespace septet::command
