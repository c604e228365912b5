#include "core/files/file_error.hpp"

#include <system_error>

namespace septet::files {

std::string reason_of(int error_number) {
  if (error_number == 0) return "unknown reason";
  return std::generic_category().message(error_number);
}

void fail(const std::filesystem::path& path, const std::string& what, int error_number) {
  throw FileError(path.string() + ": " + what + ": " + reason_of(error_number));
}

}  // namespace septet::files
