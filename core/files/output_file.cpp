#include "core/files/output_file.hpp"

#include <cerrno>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/files/file_error.hpp"

namespace septet::files {
namespace {

constexpr unsigned kBufferBytes = 1U << 20U;

// Devices, pipes and names of the system such as /dev/stdout are never replaced.
bool is_replaced(const std::string& path) {
  if (path.starts_with("/dev/") || path.starts_with("/proc/")) return false;
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

// Paths that are not created exist: just staged, a device or a pipe.
gzFile opened(const std::string& path, bool create, bool compressed) {
  const int flags = O_WRONLY | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0);
  const int descriptor = open(path.c_str(), flags, 0666);
  if (descriptor < 0) return nullptr;
  // zlib writes plain bytes too ("T"), so both kinds of file share one code path.
  gzFile file = gzdopen(descriptor, compressed ? "wb1" : "wbT");
  if (file == nullptr) close(descriptor);
  return file;
}

}  // namespace

OutputFile::OutputFile(std::string path, Placement placement) : path_(std::move(path)) {
  if (std::error_code ignored; std::filesystem::is_directory(path_, ignored)) {
    fail(path_, "cannot be created", EISDIR);
  }
  const bool in_folder = placement == Placement::kInFolder;
  if (!in_folder && is_replaced(path_)) {
    staged_.emplace(resolved(path_), StagedPath::Kind::kFile);
  }
  const std::string name = staged_ ? staged_->path().string() : path_;
  errno = 0;
  file_ = opened(name, in_folder, path_.ends_with(".gz"));
  if (file_ == nullptr) fail(path_, "cannot be created", errno);
  gzbuffer(file_, kBufferBytes);
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) gzclose(file_);
}

void OutputFile::write(std::string_view bytes) {
  errno = 0;
  if (!bytes.empty() && gzfwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    fail(path_, "cannot be written", errno);
  }
}

void OutputFile::finish() {
  errno = 0;
  if (gzclose(std::exchange(file_, nullptr)) != Z_OK) fail(path_, "cannot be completed", errno);
  if (!staged_) return;
  sync_file(staged_->path());
  staged_->publish();
}

void write_text(const std::string& path, std::string_view text, OutputFile::Placement placement) {
  OutputFile file(path, placement);
  file.write(text);
  file.finish();
}

}  // namespace septet::files
