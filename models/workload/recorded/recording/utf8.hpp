// Names in files may be in any encoding; ours are UTF-8.
#pragma once

#include <string>

namespace septet::recorded {

// Replaces each byte that is not part of UTF-8, and NUL, by U+FFFD. False when there was nothing to
// replace.
bool make_valid_utf8(std::string& text);

}  // namespace septet::recorded
