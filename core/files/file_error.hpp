// An operation on a file failed because of the system: no space, no permission, a limit, a disk
// error.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace septet::files {

class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "PATH: cannot be written: No space left on device". `what`: "cannot be written"; `error_number`:
// errno's value, 0 if unknown.
[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what,
                       int error_number);

// Text of an errno value.
std::string reason_of(int error_number);

}  // namespace septet::files
