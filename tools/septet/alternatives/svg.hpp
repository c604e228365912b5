// Text in SVG files.
#pragma once

#include <string>
#include <string_view>

namespace septet {

// `text` as it may stand in an element or attribute: characters with a meaning in XML are escaped,
// control characters are blanks, invalid UTF-8 is '?'.
std::string xml_text(std::string_view text);

// `<text>` at (x, y); `style` are further attributes, without the leading blank.
std::string svg_text(double x, double y, std::string_view style, std::string_view text);

// `<rect>` with a tooltip.
std::string svg_rect(double x, double y, double width, double height, std::string_view fill,
                     std::string_view tooltip);

}  // namespace septet
