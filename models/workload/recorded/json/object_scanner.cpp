#include "models/workload/recorded/json/object_scanner.hpp"

#include <bit>
#include <cstring>

namespace septet::recorded {
namespace {

constexpr std::size_t kLongestNumber = 40;

constexpr std::uint64_t every_byte(unsigned char value) {
  return 0x0101010101010101U * std::uint64_t{value};
}

// The lowest byte that is zero has its highest bit set; what is above that byte means nothing.
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
  return (word - every_byte(0x01)) & ~word & every_byte(0x80);
}

// The same for bytes that end a plain string: quotation mark, backslash, control characters.
constexpr std::uint64_t stop_bytes(std::uint64_t word) {
  const std::uint64_t controls = (word - every_byte(0x20)) & ~word & every_byte(0x80);
  return zero_bytes(word ^ every_byte('"')) | zero_bytes(word ^ every_byte('\\')) | controls;
}

// A NUL after the text ends the search.
const char* find_stop(const char* at) {
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest one");
  for (;; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    const std::uint64_t stops = stop_bytes(word);
    if (stops != 0) return at + std::countr_zero(stops) / 8;
  }
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

ObjectScanner::Outcome ObjectScanner::scan(std::string_view text) {
  at_ = text.data();
  count_ = 0;
  if (object(0)) return Outcome::kWhole;
  return at_ >= text.data() + text.size() ? Outcome::kUnfinished : Outcome::kNotPlain;
}

inline bool ObjectScanner::add(JsonToken kind, std::string_view text) {
  if (count_ == kMostTokens) return false;
  tokens_[count_++] = {kind, text};
  return true;
}

inline void ObjectScanner::skip_white_space() {
  while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
}

inline bool ObjectScanner::take(char wanted) {
  if (*at_ != wanted) return false;
  ++at_;
  return true;
}

bool ObjectScanner::object(int depth) {
  if (!take('{') || depth == kDeepest || !add(JsonToken::kObjectStart)) return false;
  skip_white_space();
  if (!take('}')) {
    for (;;) {
      if (!text(JsonToken::kKey)) return false;
      skip_white_space();
      if (!take(':')) return false;
      skip_white_space();
      if (!value(depth + 1)) return false;
      skip_white_space();
      if (take('}')) break;
      if (!take(',')) return false;
      skip_white_space();
    }
  }
  return add(JsonToken::kObjectEnd);
}

bool ObjectScanner::array(int depth) {
  if (!take('[') || depth == kDeepest || !add(JsonToken::kArrayStart)) return false;
  skip_white_space();
  if (!take(']')) {
    for (;;) {
      if (!value(depth + 1)) return false;
      skip_white_space();
      if (take(']')) break;
      if (!take(',')) return false;
      skip_white_space();
    }
  }
  return add(JsonToken::kArrayEnd);
}

inline bool ObjectScanner::value(int depth) {
  switch (*at_) {
    case '"':
      return text(JsonToken::kText);
    case '{':
      return object(depth);
    case '[':
      return array(depth);
    case 't':
      return literal("true");
    case 'f':
      return literal("false");
    case 'n':
      return literal("null");
    default:
      return number();
  }
}

inline bool ObjectScanner::text(JsonToken kind) {
  if (!take('"')) return false;
  const char* const begin = at_;
  at_ = find_stop(begin);
  return add(kind, {begin, static_cast<std::size_t>(at_ - begin)}) && take('"');
}

inline bool ObjectScanner::number() {
  const char* const begin = at_;
  take('-');
  if (!is_digit(*at_)) return false;
  if (*at_ == '0' && is_digit(at_[1])) return false;
  while (is_digit(*at_)) ++at_;
  if (take('.')) {
    if (!is_digit(*at_)) return false;
    while (is_digit(*at_)) ++at_;
  }
  const auto length = static_cast<std::size_t>(at_ - begin);
  const bool ends = *at_ != 'e' && *at_ != 'E' && *at_ != '\0' && length <= kLongestNumber;
  return ends && add(JsonToken::kNumber, {begin, length});
}

bool ObjectScanner::literal(std::string_view word) {
  for (const char letter : word) {
    if (!take(letter)) return false;
  }
  return add(JsonToken::kLiteral);
}

}  // namespace septet::recorded
