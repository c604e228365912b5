// The SHA-256 of a file or a text (FIPS 180-4), as `sha256sum` prints it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace septet::files {

// 64 hexadecimal digits. Reads the file in blocks. Throws ConfigError if it can't be read.
std::string sha256_of_file(const std::filesystem::path& path);
std::string sha256_of_text(std::string_view text);

}  // namespace septet::files
