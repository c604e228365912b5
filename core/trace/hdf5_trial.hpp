// libhdf5 1.10 may crash or hang on damaged files. One whose checksum is right is not damaged; any
// other is read by a child process first, as a whole and as Hdf5Reader reads it.
#pragma once

#include <filesystem>
#include <functional>

#include "core/trace/file_content.hpp"

namespace septet::trace {

// Throws TraceFileError where reading would end this process. Other mistakes are left to be found.
void try_reading(const std::filesystem::path& path, FileLocking locking);

// The same for one way of reading: where parts of the file can't be listed, the trial above does
// not come to them, but whoever knows their names does. Throws ConfigError.
void try_reading(const std::filesystem::path& path, const std::function<void()>& read);

}  // namespace septet::trace
