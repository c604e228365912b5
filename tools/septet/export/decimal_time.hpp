// Exact decimal text of times.
#pragma once

#include <cstdint>
#include <string>

namespace septet::command {

// Picoseconds as microseconds: all digits that matter, at least three decimals. 1234567 -> 1.234567
// and 1234000 -> 1.234.
std::string exact_microseconds(std::int64_t picoseconds);

}  // namespace septet::command
