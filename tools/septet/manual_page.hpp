// Manual pages in the man macros of troff, from the tables that --help prints.
#pragma once

#include <string>
#include <string_view>

#include "tools/septet/command_text.hpp"
#include "tools/septet/dispatch.hpp"

namespace septet::command {

// How a page begins: its title line, and the name with one line about it. `program` is "septet
// run".
std::string manual_head(std::string_view program, std::string_view summary);

// The rest of it.
std::string manual_body(const CommandText& command);
std::string manual_body(const CommandGroup& group);

}  // namespace septet::command
