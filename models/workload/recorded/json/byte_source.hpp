// The bytes of a file in order, decompressed if the content is gzip. The first two bytes, never the
// name, determine whether a file is compressed. Several gzip members in one file read as one text.
// Nothing here holds more than a fixed buffer in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace septet::recorded {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `into` from its start and returns how many bytes were written: fewer than its size only
  // at the end. Throws ConfigError when the file can't be read or its compression is broken.
  virtual std::size_t read(std::span<char> into) = 0;

  virtual bool compressed() const = 0;
  // True after the end if the compressed data are truncated: everything readable was returned.
  virtual bool cut_short() const = 0;
  // Bytes after the last gzip member that belong to none (zero padding not counted).
  virtual std::uint64_t trailing_bytes() const = 0;
};

// Throws ConfigError when the file doesn't exist, is a directory or can't be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

}  // namespace septet::recorded
