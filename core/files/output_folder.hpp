// A folder that is replaced as one: it is made aside and takes the place of an earlier one when it
// is complete and on the disk. Nothing of the earlier one stays. Unless it is published it
// vanishes.
//
// Only one run at a time may write to a folder; a second one is refused when it begins.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/files/folder_lock.hpp"
#include "core/files/staged_path.hpp"

namespace septet::files {

class OutputFolder {
 public:
  // Is that the name of something that such a folder holds? Nothing else is ever removed.
  using Known = std::function<bool(const std::string& name)>;

  // Makes the folders above `path` where they are missing. Throws FileError where `path` can't be
  // replaced: it holds something unknown, is the current folder or a mount point, another run
  // writes to it, or it can't be written.
  OutputFolder(const std::filesystem::path& path, const Known& known);

  const std::filesystem::path& path() const { return staged_.path(); }  // to write into
  const std::filesystem::path& target() const { return staged_.target(); }

  // Brings all of it to the disk and in place. Throws FileError.
  void publish();

 private:
  FolderLock lock_;
  StagedPath staged_;
};

}  // namespace septet::files
