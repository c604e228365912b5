#include "tools/septet/export/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace septet::command {
namespace {

constexpr unsigned kBufferBytes = 1U << 20U;

// A device, a pipe and a link to either are written to, never replaced.
std::string part_of(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  const bool replaced =
      !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  return replaced ? path + ".part" : path;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), part_(part_of(path_)) {
  errno = 0;
  // zlib writes plain bytes too ("T"), so that both kinds of file take one path.
  file_ = gzopen(part_.c_str(), path_.ends_with(".gz") ? "wb1" : "wbT");
  if (file_ == nullptr) fail("cannot be made", errno);
  gzbuffer(file_, kBufferBytes);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  gzclose(file_);
  remove_part();
}

void OutputFile::remove_part() const {
  if (part_ != path_) std::remove(part_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  errno = 0;
  if (!bytes.empty() && gzfwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    fail("cannot be written", errno);
  }
}

void OutputFile::finish() {
  errno = 0;
  const int closed = gzclose(std::exchange(file_, nullptr));
  const bool renamed = part_ == path_ || std::rename(part_.c_str(), path_.c_str()) == 0;
  if (closed != Z_OK || !renamed) {
    const int error_number = errno;
    remove_part();
    fail("cannot be completed", error_number);
  }
}

void OutputFile::fail(const char* what, int error_number) const {
  const char* reason = error_number != 0 ? std::strerror(error_number) : "unknown reason";
  throw std::runtime_error(fmt::format("{} {}: {}", path_, what, reason));
}

}  // namespace septet::command
