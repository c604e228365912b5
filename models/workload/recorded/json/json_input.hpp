// A file as the input stream that RapidJSON's reader wants: one piece at a time, filtered by
// JsonFilter, with the line and byte of any position for messages. Who finds text that needs
// neither may read ahead of the filter and let the stream continue after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "models/workload/recorded/json/byte_source.hpp"
#include "models/workload/recorded/json/json_filter.hpp"

namespace septet::recorded {

// Owns the buffer. Bytes and lines count what was unpacked, from the start of the text (after a
// byte order mark, which is skipped).
class JsonInput {
 public:
  // A piece of text followed by a NUL byte.
  struct Window {
    const char* begin;
    const char* end;
    std::size_t offset;  // of `begin` in the file's text
  };

  JsonInput(ByteSource& source, std::string file, std::size_t buffer_bytes = kDefaultBuffer);

  Window next();  // the next piece; empty at the end and ever after

  // What the buffer holds from `at` on, a position in the current window; a NUL and more bytes
  // follow it. Behind the window it is as it is in the file. Leaves no window: `resume` makes one.
  std::string_view ahead(const char* at);
  // The same with more of the file after it; of the same size where the file or the buffer ends.
  std::string_view extend(const char* at);
  // The window that starts at `at`, where the text is outside of strings.
  Window resume(const char* at);

  // Positions are offsets as the stream tells them; `where` finds the line as well.
  std::int64_t byte(std::size_t offset) const;
  Location where(std::size_t offset) const;
  // Whether a parser that stopped at `offset` did so for want of more text: at the end, or in a
  // word or escape sequence that the end cuts.
  bool cut_at(std::size_t offset) const;
  bool byte_order_mark() const { return byte_order_mark_; }
  const JsonFilter& filter() const { return filter_; }

 private:
  static constexpr std::size_t kDefaultBuffer = std::size_t{256} << 10;
  static constexpr std::size_t kPiece = std::size_t{16} << 10;  // filtered at once
  static constexpr std::size_t kSlack = 16;                     // readable bytes after the text

  void refill(std::size_t from);
  void pass_over(std::size_t to);
  void skip_byte_order_mark();
  void check_string_length(const Window& window);
  Window window_from(std::size_t begin);

  ByteSource& source_;
  std::string file_;
  std::vector<char> buffer_;
  JsonFilter filter_;
  std::size_t offset_ = 0;        // of the buffer's start in the file's text
  std::size_t filled_ = 0;        // bytes in the buffer
  std::size_t filtered_ = 0;      // of these; the window ends there
  char under_nul_ = 0;            // the byte that the window's NUL covers
  std::size_t string_bytes_ = 0;  // lower bound of the bytes read of the current string
  bool at_end_of_file_ = false;   // nothing comes after what the buffer holds
  bool started_ = false;
  bool ended_ = false;  // the window is the last one
  bool byte_order_mark_ = false;
};

// The stream itself: small, so that RapidJSON can work on a copy of it in registers.
class JsonStream {
 public:
  using Ch = char;

  explicit JsonStream(JsonInput& input) : input_(&input) { refill(); }

  Ch Peek() const { return *current_; }
  Ch Take() {
    const Ch byte = *current_++;
    if (current_ >= end_) refill();
    return byte;
  }
  // For reading past the stream.
  const char* position() const { return current_; }
  void resume(const JsonInput::Window& window) { set(window); }

  std::size_t Tell() const { return offset_ + static_cast<std::size_t>(current_ - begin_); }

  // Writing is part of RapidJSON's stream concept, for parsing in place only.
  Ch* PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  std::size_t PutEnd(Ch*) { return 0; }

 private:
  void refill() { set(input_->next()); }
  void set(const JsonInput::Window& window) {
    begin_ = current_ = window.begin;
    end_ = window.end;
    offset_ = window.offset;
  }

  const char* begin_ = nullptr;
  const char* current_ = nullptr;
  const char* end_ = nullptr;
  std::size_t offset_ = 0;
  JsonInput* input_;
};

}  // namespace septet::recorded
