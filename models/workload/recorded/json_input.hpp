// A file as the input stream that RapidJSON's reader wants: one buffer at a time, filtered by
// JsonFilter, with the line and byte of any position for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "models/workload/recorded/byte_source.hpp"
#include "models/workload/recorded/json_filter.hpp"

namespace septet {

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

  void retire();
  std::size_t skip_byte_order_mark(std::size_t filled);
  void check_string_length();

  ByteSource& source_;
  std::string file_;
  std::vector<char> buffer_;
  JsonFilter filter_;
  std::size_t length_ = 0;  // of the current window
  std::size_t held_ = 0;    // bytes after the window, not filtered yet
  char under_nul_ = 0;      // the byte of `held_` that the window's NUL covers
  std::size_t window_offset_ = 0;
  std::size_t string_bytes_ = 0;  // at least so much of the current string has been read
  bool ended_ = false;
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
  std::size_t Tell() const { return offset_ + static_cast<std::size_t>(current_ - begin_); }

  // Writing is part of RapidJSON's stream concept, for parsing in place only.
  Ch* PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  std::size_t PutEnd(Ch*) { return 0; }

 private:
  void refill() {
    const JsonInput::Window window = input_->next();
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

}  // namespace septet
