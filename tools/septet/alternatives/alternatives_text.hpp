// The table of alternatives for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/septet/alternatives/alternative.hpp"

namespace septet {

// At most `columns` wide; names and limits are shortened, numbers never.
std::string alternatives_text(const std::vector<Alternative>& alternatives, std::size_t columns);

}  // namespace septet
