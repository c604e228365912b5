// Makes the JSON output of profilers acceptable to a strict parser, in place and without changing
// its length, so that byte positions remain those of the file: - control characters inside strings,
// and those outside that aren't white space, become spaces; - bare inf, nan, Infinity and the like
// become an empty string, which readers take as missing. Both are counted. Works on pieces of a
// text of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace septet::recorded {

class JsonFilter {
 public:
  // Filters `text`, which continues what earlier calls finished, and returns how many of its bytes
  // are finished. The rest (at most kLongestToken bytes, none when `last`) may be the start of a
  // token and has to be passed again, followed by more.
  std::size_t apply(std::span<char> text, bool last);

  static constexpr std::size_t kLongestToken = 16;

  // The text that comes next doesn't continue what earlier calls saw, and lies outside of strings.
  void restart() { in_string_ = escaped_ = false; }

  bool in_string() const { return in_string_; }
  std::uint64_t control_characters() const { return control_characters_; }
  std::uint64_t not_numbers() const { return not_numbers_; }

 private:
  char* filter_string(char* at, const char* end);
  char* filter_outside(char* at, const char* end, bool last);
  void blank(char* at);

  bool in_string_ = false;
  bool escaped_ = false;  // the string's last character was a backslash that escapes the next
  std::uint64_t control_characters_ = 0;
  std::uint64_t not_numbers_ = 0;
};

}  // namespace septet::recorded
