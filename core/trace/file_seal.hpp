// A checksum after the content of a file, so that corruption is detected before the bytes are
// interpreted: libhdf5 1.10 may crash on addresses and sizes that changed on a disk.
//
// 20 bytes: "SEPTSEAL", the content's length and its CRC-32 (zlib's), the least significant byte
// first. HDF5 passes over what follows its content, and drops it from files that it changes: a file
// that another program edited has no seal, and neither has that of a run that did not finish.
#pragma once

#include <cstddef>
#include <filesystem>

namespace septet::trace {

constexpr std::size_t kSealBytes = 20;

// Appends the seal of all that is in the file. Throws TraceFileError where that fails.
void seal_file(const std::filesystem::path& path);

// Whether the file has a seal. Throws TraceFileError where it is not that of the content.
bool check_seal(const std::filesystem::path& path);

}  // namespace septet::trace
