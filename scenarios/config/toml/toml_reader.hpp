// TOML text into a tree of values. toml++ parses; this file keeps every position, restores the
// order of the file and turns toml++'s errors into ConfigError (file:line:column). Dates and times
// are refused, since no key of Septet takes one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "scenarios/config/toml/value.hpp"

namespace septet::config {

// `file` names the text in locations.
ConfigValue read_toml(std::string_view text, const std::string& file);

// Throws ConfigError also where the file cannot be read.
ConfigValue read_toml_file(const std::filesystem::path& file);

}  // namespace septet::config
