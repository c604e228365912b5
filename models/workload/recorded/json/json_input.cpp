#include "models/workload/recorded/json/json_input.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace septet::recorded {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// RapidJSON counts a string's length in 32 bits; nothing sensible comes near this.
constexpr std::size_t kLongestString = std::size_t{256} << 20;

constexpr std::size_t kLongestEscape = std::string_view(R"(\ud83d\ude00)").size();

}  // namespace

JsonInput::JsonInput(ByteSource& source, std::string file, std::size_t buffer_bytes)
    : source_(source), file_(std::move(file)), buffer_(buffer_bytes + kSlack) {}

// Moves what lies behind `from`, which is at most the end of the window, to the front of the buffer
// and reads more.
void JsonInput::refill(std::size_t from) {
  std::memmove(buffer_.data(), buffer_.data() + from, filled_ - from);
  offset_ += from;
  filtered_ -= from;
  filled_ -= from;
  const std::size_t room = buffer_.size() - kSlack - filled_;
  const std::size_t got =
      at_end_of_file_ ? 0 : source_.read(std::span(buffer_.data() + filled_, room));
  at_end_of_file_ = at_end_of_file_ || got < room;
  filled_ += got;
  if (!std::exchange(started_, true)) skip_byte_order_mark();
}

JsonInput::Window JsonInput::next() {
  if (started_) buffer_[filtered_] = under_nul_;
  if (!ended_) {
    // The last piece is never a small one: cut_at looks some bytes back.
    if (filled_ - filtered_ < 2 * kPiece && !at_end_of_file_) refill(filtered_);
    const std::size_t left = filled_ - filtered_;
    const bool last = at_end_of_file_ && left < 2 * kPiece;
    const std::size_t begin = filtered_;
    const std::size_t piece = last ? left : std::min(left, kPiece);
    filtered_ += filter_.apply(std::span(buffer_.data() + begin, piece), last);
    ended_ = last;
    const Window window = window_from(begin);
    check_string_length(window);
    return window;
  }
  return window_from(filtered_);
}

JsonInput::Window JsonInput::window_from(std::size_t begin) {
  under_nul_ = buffer_[filtered_];
  buffer_[filtered_] = '\0';
  return {buffer_.data() + begin, buffer_.data() + filtered_, offset_ + begin};
}

std::string_view JsonInput::ahead(const char* at) {
  buffer_[filtered_] = under_nul_;
  buffer_[filled_] = '\0';
  return {at, buffer_.data() + filled_};
}

std::string_view JsonInput::extend(const char* at) {
  const auto from = static_cast<std::size_t>(at - buffer_.data());
  pass_over(from);
  refill(from);
  buffer_[filled_] = '\0';
  return {buffer_.data(), filled_};
}

JsonInput::Window JsonInput::resume(const char* at) {
  const auto from = static_cast<std::size_t>(at - buffer_.data());
  pass_over(from);
  under_nul_ = buffer_[filtered_];
  return from == filtered_ ? next() : window_from(from);
}

// Nobody filters what lies before `to`, where the text is outside of strings.
void JsonInput::pass_over(std::size_t to) {
  if (to <= filtered_) return;
  filter_.restart();
  string_bytes_ = 0;
  filtered_ = to;
}

void JsonInput::skip_byte_order_mark() {
  if (!std::string_view(buffer_.data(), filled_).starts_with(kByteOrderMark)) return;
  byte_order_mark_ = true;
  filled_ -= kByteOrderMark.size();
  std::memmove(buffer_.data(), buffer_.data() + kByteOrderMark.size(), filled_);
}

void JsonInput::check_string_length(const Window& window) {
  const auto length = static_cast<std::size_t>(window.end - window.begin);
  const bool whole = std::memchr(window.begin, '"', length) == nullptr;
  string_bytes_ = filter_.in_string() && whole ? string_bytes_ + length : 0;
  if (string_bytes_ <= kLongestString) return;
  throw ConfigError(where(window.offset),
                    "a string of more than 256 MiB; is a quotation mark missing?");
}

bool JsonInput::cut_at(std::size_t offset) const {
  const std::size_t end = offset_ + filtered_;
  if (!ended_ || offset + kLongestEscape < end) return false;
  const std::size_t inside = std::clamp(offset, offset_, end) - offset_;
  std::string rest(buffer_.data() + inside, filtered_ - inside);
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

}  // namespace septet::recorded
