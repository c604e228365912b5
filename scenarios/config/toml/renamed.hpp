// Former names of keys of scenario files and profiles, values, what-ifs and command options (with
// their dashes), with their current ones. The former names are rejected.
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
