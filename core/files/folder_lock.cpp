#include "core/files/folder_lock.hpp"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/file_error.hpp"
#include "core/files/staged_path.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;

// "process 4711 on node12"
std::string this_process() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) return "process " + std::to_string(getpid());
  return "process " + std::to_string(getpid()) + " on " + host.data();
}

std::string content_of(int descriptor) {
  std::array<char, 400> text{};
  const ssize_t got = pread(descriptor, text.data(), text.size(), 0);
  return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : "another process";
}

// Whether the open file is still the one of that name: its holder removes it when done.
bool still_there(int descriptor, const fs::path& path) {
  struct stat mine {};
  struct stat named {};
  return fstat(descriptor, &mine) == 0 && stat(path.c_str(), &named) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

void write_owner(int descriptor) {
  const std::string text = this_process();
  [[maybe_unused]] const bool shorter = ftruncate(descriptor, 0) == 0;
  [[maybe_unused]] const ssize_t written = pwrite(descriptor, text.data(), text.size(), 0);
}

}  // namespace

FolderLock::FolderLock(const fs::path& target)
    : path_(target.parent_path() / ("." + target.filename().string() + ".lock")) {
  while (true) {
    const int descriptor = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) fail(path_, "cannot be created", errno);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      const std::string owner = content_of(descriptor);
      close(descriptor);
      if (error == EWOULDBLOCK) {
        throw FileError(target.string() + ": " + owner +
                        " is writing its result there; wait for it or name another folder");
      }
      return;  // no locks here
    }
    if (still_there(descriptor, path_)) {
      descriptor_ = descriptor;
      break;
    }
    close(descriptor);
  }
  remove_when_abandoned(path_);
  write_owner(descriptor_);
}

// Removed while it is locked, so that nobody can have locked it since.
FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  keep_when_abandoned(path_);
  close(descriptor_);
}

}  // namespace septet::files
