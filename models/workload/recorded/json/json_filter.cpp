#include "models/workload/recorded/json/json_filter.hpp"

#include <algorithm>
#include <array>

namespace septet::recorded {
namespace {

using ByteSet = std::array<bool, 256>;

constexpr bool contains(const ByteSet& set, char byte) {
  return set[static_cast<unsigned char>(byte)];
}

constexpr ByteSet controls_and(std::string_view more) {
  ByteSet set{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) set[byte] = true;
  for (const char byte : more) set[static_cast<unsigned char>(byte)] = true;
  return set;
}

constexpr ByteSet without_white_space(ByteSet set) {
  for (const char byte : {'\t', '\n', '\r'}) set[static_cast<unsigned char>(byte)] = false;
  return set;
}

// Where the scan has to stop and look: inside strings, and outside them.
constexpr ByteSet kStopsInString = controls_and("\"\\");
constexpr ByteSet kStopsOutside = without_white_space(controls_and("\"iInN-+"));

constexpr std::array<std::string_view, 3> kNotNumbers = {"infinity", "inf", "nan"};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

constexpr bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

// Length of the not-a-number word, with its sign, at the start of `text`; 0 when there is none.
std::size_t not_a_number(std::string_view text) {
  const bool sign = text.starts_with('-') || text.starts_with('+');
  if (sign) text.remove_prefix(1);
  for (const std::string_view word : kNotNumbers) {
    if (text.size() < word.size()) continue;
    const bool same = std::equal(word.begin(), word.end(), text.begin(),
                                 [](char w, char t) { return w == lower(t); });
    const bool ends = text.size() == word.size() || !is_letter(text[word.size()]);
    if (same && ends) return word.size() + (sign ? 1 : 0);
  }
  return 0;
}

}  // namespace

std::size_t JsonFilter::apply(std::span<char> text, bool last) {
  char* at = text.data();
  char* const end = at + text.size();
  while (at < end) {
    if (in_string_) {
      at = filter_string(at, end);
    } else {
      char* const next = filter_outside(at, end, last);
      if (next == at) break;  // a token that may continue beyond the end
      at = next;
    }
  }
  return static_cast<std::size_t>(at - text.data());
}

void JsonFilter::blank(char* at) {
  *at = ' ';
  ++control_characters_;
}

char* JsonFilter::filter_string(char* at, const char* end) {
  while (at < end) {
    if (escaped_) {
      escaped_ = false;
      if (static_cast<unsigned char>(*at) < 0x20) blank(at);
      ++at;
      continue;
    }
    while (at < end && !contains(kStopsInString, *at)) ++at;
    if (at == end) break;
    if (*at == '"') {
      in_string_ = false;
      return at + 1;
    }
    if (*at == '\\') {
      escaped_ = true;
    } else {
      blank(at);
    }
    ++at;
  }
  return at;
}

// Stops after a quote that opens a string, or before a word that the end of the text may cut.
char* JsonFilter::filter_outside(char* at, const char* end, bool last) {
  for (; at < end; ++at) {
    if (!contains(kStopsOutside, *at)) continue;
    if (*at == '"') {
      in_string_ = true;
      return at + 1;
    }
    if (static_cast<unsigned char>(*at) < 0x20) {
      blank(at);
      continue;
    }
    const auto room = static_cast<std::size_t>(end - at);
    if (room < kLongestToken && !last) return at;
    const std::size_t length = not_a_number({at, room});
    if (length == 0) continue;
    ++not_numbers_;
    std::fill(at, at + length, ' ');
    at[0] = at[1] = '"';
    at += length - 1;
  }
  return at;
}

}  // namespace septet::recorded
