// A file or folder that is made aside, beside the target whose place it takes when it is complete.
//
// Its name is the target's with ".part-" and six random letters or digits, so that no two runs
// share one; it is created exclusively. Unless it is published, what lies there is removed, also by
// `abandon_staged` at the end of a process that is interrupted.
#pragma once

#include <filesystem>

namespace septet::files {

class StagedPath {
 public:
  enum class Kind { kFile, kFolder };

  // Makes an empty file or folder; `target` is an absolute path, its folder is there. Throws
  // FileError.
  StagedPath(std::filesystem::path target, Kind kind);
  ~StagedPath();
  StagedPath(const StagedPath&) = delete;
  StagedPath& operator=(const StagedPath&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& target() const { return target_; }

  // Takes the target's place in one step, with the target's permissions if there is one; what was
  // there is removed. All of it must be on the disk already (sync_file, sync_tree). Throws
  // FileError, and then leaves the result where it is and says so.
  void publish();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  Kind kind_;
};

// Absolute, links resolved, without a slash at its end.
std::filesystem::path resolved(const std::filesystem::path& path);

// Is `name` that of something made aside for `target`?
bool is_staged_name(const std::string& name, const std::string& target);

// Brings a file, or all of a folder, to the disk. Throws FileError.
void sync_file(const std::filesystem::path& path);
void sync_folder(const std::filesystem::path& path);  // the names in it
void sync_tree(const std::filesystem::path& folder);

// A file that goes when the process is interrupted, too: named here as long as it is there.
void remove_when_abandoned(const std::filesystem::path& path);
void keep_when_abandoned(const std::filesystem::path& path);

// Removes all that is staged in this process; nothing can be staged or published afterwards,
// whoever tries waits. For a process that is about to end.
void abandon_staged();

}  // namespace septet::files
