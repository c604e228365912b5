#include "models/workload/recorded/json_input.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace septet {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// RapidJSON counts a string's length in 32 bits; nothing sensible comes near this.
constexpr std::size_t kLongestString = std::size_t{256} << 20;

constexpr std::size_t kLongestEscape = std::string_view(R"(\ud83d\ude00)").size();

}  // namespace

JsonInput::JsonInput(ByteSource& source, std::string file, std::size_t buffer_bytes)
    : source_(source), file_(std::move(file)), buffer_(buffer_bytes + 1) {}

// Moves what the last window left unfiltered to the front of the buffer.
void JsonInput::retire() {
  buffer_[length_] = under_nul_;
  window_offset_ += length_;
  std::memmove(buffer_.data(), buffer_.data() + length_, held_);
}

JsonInput::Window JsonInput::next() {
  if (ended_) {
    const char* const end = buffer_.data() + length_;
    return {end, end, window_offset_ + length_};
  }
  retire();
  const std::size_t capacity = buffer_.size() - 1;
  std::size_t filled = held_ + source_.read(std::span(buffer_.data() + held_, capacity - held_));
  const bool last = filled < capacity;
  if (window_offset_ == 0 && length_ == 0) filled = skip_byte_order_mark(filled);
  ended_ = last;
  length_ = filter_.apply(std::span(buffer_.data(), filled), last);
  held_ = filled - length_;
  under_nul_ = buffer_[length_];
  buffer_[length_] = '\0';
  check_string_length();
  return {buffer_.data(), buffer_.data() + length_, window_offset_};
}

std::size_t JsonInput::skip_byte_order_mark(std::size_t filled) {
  if (!std::string_view(buffer_.data(), filled).starts_with(kByteOrderMark)) return filled;
  byte_order_mark_ = true;
  const std::size_t rest = filled - kByteOrderMark.size();
  std::memmove(buffer_.data(), buffer_.data() + kByteOrderMark.size(), rest);
  return rest;
}

void JsonInput::check_string_length() {
  const bool whole = std::memchr(buffer_.data(), '"', length_) == nullptr;
  string_bytes_ = filter_.in_string() && whole ? string_bytes_ + length_ : 0;
  if (string_bytes_ <= kLongestString) return;
  throw ConfigError(where(window_offset_),
                    "a string of more than 256 MiB; is a quotation mark missing?");
}

bool JsonInput::cut_at(std::size_t offset) const {
  const std::size_t end = window_offset_ + length_;
  if (!ended_ || offset + kLongestEscape < end) return false;
  const std::size_t inside = std::clamp(offset, window_offset_, end) - window_offset_;
  std::string rest(buffer_.data() + inside, length_ - inside);
  if (rest.starts_with('\\')) return true;
  std::transform(rest.begin(), rest.end(), rest.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // What RapidJSON refuses before the end of "true", "false" and "null" it has consumed already.
  return std::string_view("infinity").find(rest) != std::string_view::npos ||
         std::string_view("nan").find(rest) != std::string_view::npos;
}

std::int64_t JsonInput::byte(std::size_t offset) const {
  return static_cast<std::int64_t>(offset + (byte_order_mark_ ? kByteOrderMark.size() : 0));
}

// Reads the file again: counting lines for a message that is seldom wanted would cost every reader
// of a good file time.
Location JsonInput::where(std::size_t offset) const {
  Location out{.file = file_, .line = 1, .byte = byte(offset)};
  const auto again = open_bytes(file_);
  std::vector<char> piece(kDefaultBuffer);
  for (std::int64_t left = out.byte; left > 0;) {
    const std::size_t wanted = std::min(piece.size(), static_cast<std::size_t>(left));
    const std::size_t got = again->read(std::span(piece).first(wanted));
    out.line += std::count(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got), '\n');
    if (got < wanted) break;
    left -= static_cast<std::int64_t>(got);
  }
  return out;
}

}  // namespace septet
