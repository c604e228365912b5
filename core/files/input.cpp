#include "core/files/input.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>

#include "core/base/error.hpp"
#include "core/files/file_error.hpp"

namespace septet::files {

std::string read_text(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ConfigError({path.string()}, "is a directory, wanted a file");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ConfigError({path.string()}, "cannot be opened: " + reason_of(errno));
  std::string text;
  constexpr std::size_t kPiece = 1U << 16U;
  std::string piece(kPiece, '\0');
  while (stream.read(piece.data(), kPiece) || stream.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
  }
  check_read(stream, path.string());
  return text;
}

// The library reports the reason only in errno.
void check_read(const std::istream& stream, const std::string& path) {
  if (!stream.bad()) return;
  throw ConfigError({path}, "cannot be read to its end: " + reason_of(errno));
}

}  // namespace septet::files
