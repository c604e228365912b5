// Alternatives as horizontal bars in an SVG file: one bar each, its length the time, its colours
// where the time goes. Widths of text are known without fonts: names are set in a monospaced one
// and shortened to the picture's width; the whole name is in the tooltip.
#pragma once

#include <string>
#include <vector>

#include "tools/septet/alternatives/alternative.hpp"

namespace septet {

// `title`: what was replayed. At least one alternative.
std::string alternatives_svg(const std::string& title,
                             const std::vector<Alternative>& alternatives);

}  // namespace septet
