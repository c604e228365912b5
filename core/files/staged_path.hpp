// A temporary file or folder next to the target, which it replaces when it is complete.
//
// Its name is the target's with ".part-" and six random letters or digits, so that no two runs
// share one; it is created exclusively. Unless published it is removed, also by `abandon_staged` at
// the end of an interrupted process.
#pragma once

#include <filesystem>

namespace septet::files {

class StagedPath {
 public:
  enum class Kind { kFile, kFolder };

  // Creates an empty file or folder; `target` is an absolute path, its folder exists. Throws
  // FileError.
  StagedPath(std::filesystem::path target, Kind kind);
  ~StagedPath();
  StagedPath(const StagedPath&) = delete;
  StagedPath& operator=(const StagedPath&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& target() const { return target_; }

  // Replaces the target in one step and keeps its permissions; the earlier target is removed. All
  // of it must be on disk already (sync_file, sync_tree). Throws FileError naming the path where
  // the result remains.
  void publish();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  Kind kind_;
};

// Absolute, links resolved, without a trailing slash.
std::filesystem::path resolved(const std::filesystem::path& path);

// Whether `name` is that of something staged for `target`.
bool is_staged_name(const std::string& name, const std::string& target);

// Syncs a file, or all of a folder, to disk. Throws FileError.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);  // its entries
void sync_tree(const std::filesystem::path& folder);

// A file to remove as well when the process is interrupted: registered while it exists.
void remove_when_abandoned(const std::filesystem::path& path);
void keep_when_abandoned(const std::filesystem::path& path);

// Removes all that is staged in this process; attempts to stage or publish afterwards block. For a
// process that is about to end.
void abandon_staged();

}  // namespace septet::files
