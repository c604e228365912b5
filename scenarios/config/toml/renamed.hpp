// Names that were written before and have another name now: keys of scenario files and profiles,
// values, what-ifs, options of commands (with their dashes). The old ones are refused.
#pragma once

#include <string_view>
#include <vector>

namespace septet::config {

struct RenamedName {
  std::string_view before;
  std::string_view now;
};

const std::vector<RenamedName>& renamed_names();

}  // namespace septet::config
