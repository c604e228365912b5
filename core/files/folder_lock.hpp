// Keeps other processes out of a path while this one works on it: an advisory lock (flock) on the
// file .NAME.lock next to it, which is removed afterwards. The system releases the lock however the
// process ends; a leftover lock file means nothing.
#pragma once

#include <filesystem>

namespace septet::files {

class FolderLock {
 public:
  // `target`: absolute. Throws FileError naming the process that holds it, if any.
  explicit FolderLock(const std::filesystem::path& target);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // False where the file system has no locks: other processes may write too.
  bool alone() const { return descriptor_ >= 0; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace septet::files
