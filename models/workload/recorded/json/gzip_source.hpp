// Decompresses a gzip file piece by piece with zlib. One or more members; a file truncated inside a
// member yields everything that could be decompressed; corrupt data (a wrong code or checksum) are
// rejected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zlib.h>

#include "models/workload/recorded/json/byte_source.hpp"
#include "models/workload/recorded/json/input_file.hpp"

namespace septet::recorded {

constexpr bool is_gzip_magic(char first, char second) {
  return first == '\x1f' && second == '\x8b';
}

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(InputFile file);
  ~GzipSource() override;
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> into) override;
  bool compressed() const override { return true; }
  bool cut_short() const override { return cut_short_; }
  std::uint64_t trailing_bytes() const override { return trailing_bytes_; }

 private:
  bool fill();          // more packed bytes; false at the end of the file
  void step();          // one call of inflate
  void end_member();    // looks for a further member
  void skip_trailer();  // counts what follows the last member
  [[noreturn]] void refuse(const std::string& reason) const;

  InputFile file_;
  std::vector<char> packed_;
  z_stream stream_{};
  bool in_member_ = true;
  bool done_ = false;
  bool cut_short_ = false;
  std::uint64_t trailing_bytes_ = 0;
};

}  // namespace septet::recorded
