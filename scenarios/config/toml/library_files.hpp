// The files of a library: data that scenarios name, a TOML file each, whose name is its.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace septet::config {

// Of FOLDER in each of the data directories, in their order, and there by name; of several with the
// same name the first. A directory without the folder has none.
std::vector<std::filesystem::path> library_files(
    const std::vector<std::filesystem::path>& data_directories, const std::string& folder);

}  // namespace septet::config
