// The rows of a run and what the codes in them mean, from its memory or from its file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/trace/table_rows.hpp"

namespace septet::command {

using Dictionaries = std::map<std::string, std::vector<std::string>>;  // texts by code

struct RunTables {
  std::string source;  // for messages
  std::span<const trace::TableRows> tables;
  Dictionaries dictionaries;
};

}  // namespace septet::command
