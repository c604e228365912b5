#include "core/files/output_folder.hpp"

#include <algorithm>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/files/file_error.hpp"

namespace septet::files {
namespace {

namespace fs = std::filesystem;

bool is_mount_point(const fs::path& path) {
  struct statx status {};
  return statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool contains(const fs::path& folder, const fs::path& path) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// The name of an entry of the folder that no run can have left there; empty if none.
std::string foreign_in(const fs::path& folder, const OutputFolder::Known& known) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) fail(folder, "cannot be read", error.value());
  for (const fs::directory_entry& entry : entries) {
    std::string name = entry.path().filename().string();
    if (!known(name)) return name;
  }
  return {};
}

// Throws if the existing folder `path` can't or shouldn't be replaced.
void check_replaceable(const fs::path& path, const OutputFolder::Known& known) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) throw FileError(path.string() + ": is not a folder");
  if (contains(path, fs::current_path(ignored))) {
    throw FileError(path.string() +
                    ": is the current folder, which cannot be replaced; name one inside it");
  }
  if (is_mount_point(path)) {
    throw FileError(path.string() +
                    ": is a mount point, which cannot be replaced; name a folder inside it");
  }
  const std::string foreign = foreign_in(path, known);
  if (!foreign.empty()) {
    throw FileError(path.string() + ": contains " + foreign +
                    ", which is not a result of septet and would be lost; name another folder");
  }
}

fs::path checked(const fs::path& path, const OutputFolder::Known& known) {
  fs::path target = resolved(path);
  if (!target.has_filename()) throw FileError(path.string() + ": cannot be replaced");
  std::error_code error;
  if (fs::exists(target, error)) {
    check_replaceable(target, known);
    return target;
  }
  fs::create_directories(target.parent_path(), error);
  if (error) fail(target.parent_path(), "cannot be created", error.value());
  return target;
}

// Leftovers of killed runs; `mine` is that of this run.
void remove_leftovers(const StagedPath& mine, const OutputFolder::Known& known) {
  const std::string target = mine.target().filename().string();
  std::error_code error;
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(mine.target().parent_path(), error)) {
    if (is_staged_name(entry.path().filename().string(), target) && entry.path() != mine.path() &&
        entry.is_directory(error) && foreign_in(entry.path(), known).empty()) {
      left.push_back(entry.path());
    }
  }
  for (const fs::path& path : left) fs::remove_all(path, error);
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& path, const Known& known)
    : lock_(checked(path, known)), staged_(resolved(path), StagedPath::Kind::kFolder) {
  // Without the lock they might belong to a run in progress.
  if (lock_.alone()) remove_leftovers(staged_, known);
}

void OutputFolder::publish() {
  sync_tree(path());
  staged_.publish();
}

}  // namespace septet::files
