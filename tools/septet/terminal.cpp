#include "tools/septet/terminal.hpp"

#include <cstdlib>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace septet::command {
namespace {

constexpr std::size_t kUnknownColumns = 100;
constexpr std::size_t kFewestColumns = 40;  // below this no table is readable anyway

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

std::size_t columns_of(int descriptor) {
  if (const char* value = std::getenv("COLUMNS")) {
    const long columns = std::strtol(value, nullptr, 10);
    if (columns >= static_cast<long>(kFewestColumns)) return static_cast<std::size_t>(columns);
  }
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= kFewestColumns) {
    return size.ws_col;
  }
  return kUnknownColumns;
}

}  // namespace

Terminal describe_terminal(std::FILE* stream) {
  const int descriptor = fileno(stream);
  const bool interactive = isatty(descriptor) == 1 && !is_dumb();
  return {interactive, interactive && !is_set("NO_COLOR"), columns_of(descriptor)};
}

void print_warnings(const std::vector<std::string>& warnings) {
  std::set<std::string> said;
  for (const std::string& warning : warnings) {
    if (said.insert(warning).second) fmt::print(stderr, "septet: warning: {}\n", warning);
  }
}

}  // namespace septet::command
