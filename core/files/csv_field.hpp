// Fields of CSV files as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>

namespace septet::files {

// In quotes, with quotes inside doubled.
std::string csv_quoted(std::string_view text);

// The same where the text needs it: with commas, quotes or line breaks.
std::string csv_field(std::string_view text);

}  // namespace septet::files
