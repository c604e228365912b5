// A report as one HTML file that needs nothing else: style, script, charts and data lie within.
#pragma once

#include <string>

#include "tools/septet/report/document.hpp"

namespace septet::command {

std::string report_html(const Document& document);

}  // namespace septet::command
