// The files of the page, put into the program by CMake.
#pragma once

#include <string_view>

namespace septet::command::embedded {

extern const std::string_view page_html;
extern const std::string_view report_css;
extern const std::string_view report_js;

}  // namespace septet::command::embedded
