// A file that appears under its name only when it is complete and on disk. A name that ends in
// .gz is compressed. A device, a pipe and a link to either are written to as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <zlib.h>

#include "core/files/staged_path.hpp"

namespace septet::files {

class OutputFile {
 public:
  // kInFolder: immediately under its name and not synced: it lies in an OutputFolder, which is
  // staged as a whole.
  enum class Placement { kWhenComplete, kInFolder };

  // Throws FileError if it cannot be created.
  explicit OutputFile(std::string path, Placement placement = Placement::kWhenComplete);
  ~OutputFile();  // removes the file unless finished
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  std::string path_;  // as named in messages
  std::optional<StagedPath> staged_;
  gzFile file_ = nullptr;
};

// A complete text file.
void write_text(const std::string& path, std::string_view text,
                OutputFile::Placement placement = OutputFile::Placement::kWhenComplete);

}  // namespace septet::files
