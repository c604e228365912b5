// "Did you mean": the names closest to a mistyped one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace septet::config {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidates nearest to `word`: those that differ in fewest letters, as long as these are at
// most a third of the longer word's. Upper and lower case, '-', '_' and ' ' make no difference.
std::vector<std::string> near_misses(std::string_view word,
                                     const std::vector<std::string>& candidates);

// " (did you mean 'a' or 'b'?)", or nothing where no candidate is near; " ('a' is now called 'b')"
// where `word` is what candidate 'b' was called before (renamed.hpp).
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// "a, b, c", or "none".
std::string listed(const std::vector<std::string>& names);

}  // namespace septet::config
