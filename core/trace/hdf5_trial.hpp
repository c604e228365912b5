// libhdf5 1.10 may crash or hang on damaged files. One whose checksum is right is not damaged; any
// other is read by a child process first, as a whole and as Hdf5Reader reads it.
#pragma once

#include <filesystem>

#include "core/trace/file_content.hpp"

namespace septet::trace {

// Throws TraceFileError where reading would end this process. Other mistakes are left to be found.
void try_reading(const std::filesystem::path& path, FileLocking locking);

}  // namespace septet::trace
