// Keeps others from a path as long as this process works on it: an advisory lock of the system
// (flock) on the file .NAME.lock beside it, which is gone afterwards. The system drops the lock of
// a process that ends in any way; a lock file that is left means nothing.
#pragma once

#include <filesystem>

namespace septet::files {

class FolderLock {
 public:
  // `target`: absolute. Throws FileError naming the other process where one has it.
  explicit FolderLock(const std::filesystem::path& target);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // False where the file system knows no locks: others may be at it too.
  bool alone() const { return descriptor_ >= 0; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace septet::files
