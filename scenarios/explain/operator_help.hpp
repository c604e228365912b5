// Operators as input of `septet explain`, on the command line or in the table [operator] of a
// kernel file, and their help texts.
#pragma once

#include <string>

#include "scenarios/config/kernels/operator_text.hpp"

namespace septet::explain {

// Throws as read_operator does.
config::WrittenOperator read_asked_operator(const config::Reading& reading);

// The name of a key's flag: "kv-heads".
std::string flag_of(std::string key);

// A list for --help: a line for each operator with its flags.
std::string operator_list();
// The same as a table of Markdown.
std::string operator_reference();

}  // namespace septet::explain
