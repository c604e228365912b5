// Reading files whole. A stream of the standard library ends alike at the end of its file and where
// the disk fails; here the second is an error.
#pragma once

#include <filesystem>
#include <istream>
#include <string>

namespace septet::files {

// Throws ConfigError naming the file where it is missing, a folder, or can't be read.
std::string read_text(const std::filesystem::path& path);

// To be called at the end of a stream that reads `path`: throws ConfigError where it isn't the
// file's.
void check_read(const std::istream& stream, const std::string& path);

}  // namespace septet::files
