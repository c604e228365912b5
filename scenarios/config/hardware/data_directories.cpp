// Search path of profiles.
#include <cstdlib>

#include <dlfcn.h>

#include "scenarios/config/hardware/profile.hpp"

namespace septet::config {

namespace fs = std::filesystem;

namespace {

// The data of an installation is in PREFIX/share/septet, its program in PREFIX/bin.
fs::path data_of_program(const fs::path& program) {
  return program.parent_path().parent_path() / "share" / "septet";
}

// Whether this code is in a library that another program has loaded, such as Python: where that
// lies.
fs::path loaded_library() {
  Dl_info found{};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&data_directories), &found) == 0) return {};
  const fs::path file = fs::weakly_canonical(found.dli_fname, error);
  return file.filename().string().find(".so") == std::string::npos ? fs::path() : file;
}

// The library is in PREFIX/lib/python3.11/site-packages/septet, or in the build folder's
// python/septet: the nearest folder above it that has a share/septet.
fs::path data_of_library(const fs::path& library) {
  constexpr int kFoldersAbove = 5;
  fs::path folder = library.parent_path();
  for (int i = 0; i < kFoldersAbove; ++i, folder = folder.parent_path()) {
    if (fs::is_directory(folder / "share" / "septet")) return folder / "share" / "septet";
  }
  return {};
}

}  // namespace

std::vector<fs::path> data_directories() {
  std::vector<fs::path> out;
  if (const char* chosen = std::getenv("SEPTET_DATA"); chosen != nullptr && *chosen != '\0') {
    if (!fs::is_directory(chosen)) {
      throw ConfigError::value({}, "SEPTET_DATA", "\"" + std::string(chosen) + "\"",
                               "an existing directory");
    }
    out.emplace_back(chosen);
  }
  const fs::path library = loaded_library();
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path own = !library.empty() ? data_of_library(library)
                       : !error         ? data_of_program(program)
                                        : fs::path();
  if (!own.empty()) out.push_back(own);
  return out;
}

}  // namespace septet::config
