// Completions for bash, from the tables that --help prints. They need nothing but bash itself.
#pragma once

#include <string>

#include "tools/septet/command_text.hpp"
#include "tools/septet/dispatch.hpp"

namespace septet::command {

// What may follow a command or a group: its entry in the list that the script looks into.
std::string completion_entry(const CommandText& command);
std::string completion_entry(const CommandGroup& group);

// The script before and after the entries of a group and of all that is in it.
std::string completion_begin();
std::string completion_end();

}  // namespace septet::command
