#include "models/workload/recorded/recording/string_table.hpp"

#include <utility>

namespace septet {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

constexpr bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Bytes of the sequence that `lead` starts, 0 when it starts none.
constexpr std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

// Overlong forms, surrogates and code points beyond U+10FFFF show in the second byte.
constexpr bool second_byte_fits(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

// Length of the valid character at `at`, 0 when there is none.
std::size_t valid_character(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = sequence_length(lead);
  if (length == 0 || at + length > text.size() || lead == 0) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[at + i])) return 0;
  }
  if (length > 1 && !second_byte_fits(lead, static_cast<unsigned char>(text[at + 1]))) return 0;
  return length;
}

std::size_t first_invalid(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = valid_character(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

}  // namespace

std::uint32_t StringTable::index(std::string_view text) {
  if (const auto found = indices_.find(text); found != indices_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(indices_.size());
  indices_.emplace(text, index);
  return index;
}

std::vector<std::string> StringTable::take() {
  std::vector<std::string> texts(indices_.size());
  while (!indices_.empty()) {
    auto node = indices_.extract(indices_.begin());
    texts[node.mapped()] = std::move(node.key());
  }
  return texts;
}

bool make_valid_utf8(std::string& text) {
  std::size_t at = first_invalid(text);
  if (at == text.size()) return false;
  std::string out(text, 0, at);
  while (at < text.size()) {
    const std::size_t length = valid_character(text, at);
    out += length == 0 ? kReplacement : std::string_view(text).substr(at, length);
    at += length == 0 ? 1 : length;
  }
  text = std::move(out);
  return true;
}

}  // namespace septet
