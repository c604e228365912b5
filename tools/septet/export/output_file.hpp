// A file that appears under its name only when it is complete: it is written as NAME.part and
// renamed by finish(). A name that ends in .gz is compressed.
#pragma once

#include <string>
#include <string_view>

#include <zlib.h>

namespace septet::command {

class OutputFile {
 public:
  explicit OutputFile(std::string path);  // throws std::runtime_error where it cannot be made
  ~OutputFile();                          // removes the .part file unless finished
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  [[noreturn]] void fail(const char* what, int error_number) const;
  void remove_part() const;

  std::string path_;
  std::string part_;
  gzFile file_ = nullptr;
};

}  // namespace septet::command
