// Numbers as people read them.
#pragma once

#include <string>

namespace septet::command {

// "1,234,000", "12.35", "0.001234": so many significant digits, thousands apart.
std::string rounded(double value, int digits = 3);

// "168.8 ms", "2.41 s", "85 us": the unit that suits the value.
std::string time_text(double microseconds);

// "41.5 %"
std::string percent_text(double share);

}  // namespace septet::command
