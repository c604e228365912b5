#include "core/base/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace septet {

std::string Location::text() const {
  std::string out = file;
  if (line > 0) out += ":" + std::to_string(line);
  if (line > 0 && column > 0) out += ":" + std::to_string(column);
  if (line <= 0 && byte >= 0) out += ": byte " + std::to_string(byte);
  return out;
}

ConfigError::ConfigError(Location where, const std::string& message)
    : std::runtime_error(where.file.empty() ? message : where.text() + ": " + message),
      where_(std::move(where)) {}

std::string ConfigError::reason() const {
  constexpr std::size_t kColon = 2;
  return std::string(what()).substr(where_.file.empty() ? 0 : where_.text().size() + kColon);
}

ConfigError ConfigError::value(Location where, const std::string& key, const std::string& got,
                               const std::string& wanted) {
  return {std::move(where), key + ": got " + got + ", wanted " + wanted};
}

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: assertion failed (a bug in septet): %s\n", file, line, expression);
  std::abort();
}

}  // namespace septet
