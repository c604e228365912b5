// A report as Markdown for tickets: its statements, findings and tables, without charts.
#pragma once

#include <string>

#include "tools/septet/report/document.hpp"

namespace septet::command {

std::string report_markdown(const Document& document);

}  // namespace septet::command
