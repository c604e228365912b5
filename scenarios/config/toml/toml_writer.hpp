// A tree of values as TOML text that reads back to the same tree, with the origin of every value as
// a comment.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/config/toml/value.hpp"

namespace septet::config {

// A key as TOML takes it: bare where possible, else quoted.
std::string toml_key(std::string_view key);

// A string with its quotes and escapes.
std::string toml_string(std::string_view text);

// A value on one line.
std::string inline_toml(const ConfigValue& value);

// kNames: of files only the names, not the folders, so that the text is the same wherever they lie.
enum class Origins { kShown, kNames, kHidden };

// `root` is a table. Tables become [headers], arrays of tables [[headers]]; what lies inside an
// element of an array stays inline, one element of a longer list a line.
std::string write_toml(const ConfigValue& root, Origins origins = Origins::kShown);

}  // namespace septet::config
