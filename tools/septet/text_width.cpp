#include "tools/septet/text_width.hpp"

#include <array>
#include <cstdint>
#include <sstream>
#include <vector>

namespace septet::command {
namespace {

// One character: its bytes and its columns. Width 0 is a mark on the character before it.
struct Glyph {
  std::string_view bytes;
  std::size_t width = 1;
  bool valid = true;
};

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Blocks of the Unicode character database with combining marks, and with wide characters.
constexpr std::array kZeroWidth = {Range{0x300, 0x36F}, Range{0x200B, 0x200F},
                                   Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
                                   Range{0xFE20, 0xFE2F}};
constexpr std::array kDoubleWidth = {
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},  Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},  Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1F64F}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

template <std::size_t Size>
bool contains(const std::array<Range, Size>& ranges, std::uint32_t code) {
  for (const Range& range : ranges) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

std::size_t width_of(std::uint32_t code) {
  if (contains(kZeroWidth, code)) return 0;
  return contains(kDoubleWidth, code) ? 2 : 1;
}

// Number of bytes that a leading byte announces; 0: not a leading byte.
std::size_t announced(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

Glyph glyph_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t size = announced(lead);
  if (size == 0 || at + size > text.size()) return {text.substr(at, 1), 1, false};
  std::uint32_t code = size == 1 ? lead : lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xC0U) != 0x80U) return {text.substr(at, 1), 1, false};
    code = code << 6U | (next & 0x3FU);
  }
  return {text.substr(at, size), width_of(code), true};
}

std::vector<Glyph> glyphs(std::string_view text) {
  std::vector<Glyph> out;
  for (std::size_t at = 0; at < text.size(); at += out.back().bytes.size()) {
    out.push_back(glyph_at(text, at));
  }
  return out;
}

bool is_control(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  return lead < 0x20 || lead == 0x7F;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (const Glyph& glyph : glyphs(text)) width += glyph.width;
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  for (const Glyph& glyph : glyphs(text)) {
    if (!glyph.valid) {
      out += '?';
    } else if (is_control(glyph.bytes)) {
      out += ' ';
    } else {
      out += glyph.bytes;
    }
  }
  return out;
}

std::string shorten(std::string_view text, std::size_t columns) {
  const std::vector<Glyph> all = glyphs(text);
  if (text_width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  const std::size_t head_columns = columns / 2;
  const std::size_t tail_columns = columns - 1 - head_columns;
  std::string head;
  std::size_t used = 0;
  for (const Glyph& glyph : all) {
    if (used + glyph.width > head_columns) break;
    used += glyph.width;
    head += glyph.bytes;
  }
  std::size_t first = all.size();
  for (used = 0; first > 0 && used + all[first - 1].width <= tail_columns; --first) {
    used += all[first - 1].width;
  }
  // A mark without its character would attach itself to the ellipsis.
  while (first < all.size() && all[first].width == 0) ++first;
  std::string out = head + "…";
  for (; first < all.size(); ++first) out += all[first].bytes;
  return out;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && text_width(line) + 1 + text_width(word) > columns) {
      out += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return out + line + "\n";
}

}  // namespace septet::command
