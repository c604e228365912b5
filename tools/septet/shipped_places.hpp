// Where the files are that examples of the help name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace septet::command {

// `example` with each word "scenarios/..." or "data/..." that is not a path from the current folder
// replaced by its place in the first of `folders` (share/septet of an installation) that has it.
std::string with_places(const std::string& example,
                        const std::vector<std::filesystem::path>& folders);

}  // namespace septet::command
