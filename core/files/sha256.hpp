// The SHA-256 of a file (FIPS 180-4), as `sha256sum` prints it.
#pragma once

#include <filesystem>
#include <string>

namespace septet::files {

// 64 hexadecimal digits. Reads the file in blocks. Throws ConfigError if it can't be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace septet::files
