// A file opened for reading in order; every failure is a ConfigError that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

namespace septet::recorded {

class InputFile {
 public:
  explicit InputFile(const std::string& path);

  // Fewer bytes than requested only at the end of the file.
  std::size_t read(std::span<char> into);
  void rewind();

  const std::string& path() const { return path_; }
  std::int64_t offset() const { return offset_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  std::unique_ptr<std::FILE, Close> handle_;
  std::int64_t offset_ = 0;
};

}  // namespace septet::recorded
