#include "models/workload/recorded/json/byte_source.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/error.hpp"
#include "models/workload/recorded/json/gzip_source.hpp"
#include "models/workload/recorded/json/input_file.hpp"

namespace septet::recorded {
namespace {

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(InputFile file) : file_(std::move(file)) {}

  std::size_t read(std::span<char> into) override { return file_.read(into); }
  bool compressed() const override { return false; }
  bool cut_short() const override { return false; }
  std::uint64_t trailing_bytes() const override { return 0; }

 private:
  InputFile file_;
};

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ConfigError({path}, "is a directory; wanted a file");
  }
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    throw ConfigError({path}, "is not a regular file; wanted one that can be read twice");
  }
  handle_.reset(std::fopen(path.c_str(), "rb"));
  if (!handle_) throw ConfigError({path}, std::string("can't be opened: ") + std::strerror(errno));
}

std::size_t InputFile::read(std::span<char> into) {
  const std::size_t got = std::fread(into.data(), 1, into.size(), handle_.get());
  if (got < into.size() && std::ferror(handle_.get()) != 0) {
    throw ConfigError({.file = path_, .byte = offset()}, "can't be read: input error");
  }
  offset_ += static_cast<std::int64_t>(got);
  return got;
}

void InputFile::rewind() {
  std::rewind(handle_.get());
  offset_ = 0;
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  InputFile file(path);
  char head[2] = {};
  const std::size_t got = file.read(head);
  file.rewind();
  if (got == 2 && is_gzip_magic(head[0], head[1])) {
    return std::make_unique<GzipSource>(std::move(file));
  }
  return std::make_unique<PlainSource>(std::move(file));
}

}  // namespace septet::recorded
