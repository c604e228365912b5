// A folder that is replaced atomically: it is staged and replaces an earlier one when it is
// complete and on disk. Nothing of the earlier one remains. Unless it is published it is removed.
//
// Only one run at a time may write to a folder; a second one is refused at its start.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/files/folder_lock.hpp"
#include "core/files/staged_path.hpp"

namespace septet::files {

class OutputFolder {
 public:
  // Whether such a folder may contain this name. Nothing else is ever removed.
  using Known = std::function<bool(const std::string& name)>;

  // Creates the parents of `path` if missing. Throws FileError if `path` can't be
  // replaced: it contains something unknown, is the current folder or a mount point, another run
  // writes to it, or it can't be written.
  OutputFolder(const std::filesystem::path& path, const Known& known);

  const std::filesystem::path& path() const { return staged_.path(); }  // to write into
  const std::filesystem::path& target() const { return staged_.target(); }

  // Syncs all of it and moves it into place. Throws FileError.
  void publish();

 private:
  FolderLock lock_;
  StagedPath staged_;
};

}  // namespace septet::files
