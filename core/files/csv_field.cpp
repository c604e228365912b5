#include "core/files/csv_field.hpp"

namespace septet::files {

std::string csv_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  return out + "\"";
}

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos;
  return plain ? std::string(text) : csv_quoted(text);
}

}  // namespace septet::files
