// Reading whole files. Standard streams end in the same way at the end of the file and at a disk
// error; here the latter is an error.
#pragma once

#include <filesystem>
#include <istream>
#include <string>

namespace septet::files {

// Throws ConfigError naming the file if it is missing, a folder or unreadable.
std::string read_text(const std::filesystem::path& path);

// Call at the end of a stream that reads `path`: throws ConfigError unless it is the end of the
// file.
void check_read(const std::istream& stream, const std::string& path);

}  // namespace septet::files
