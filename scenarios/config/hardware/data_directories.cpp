// Search path of profiles.
#include <cstdlib>

#include "scenarios/config/hardware/profile.hpp"

namespace septet::config {

namespace fs = std::filesystem;

std::vector<fs::path> data_directories() {
  std::vector<fs::path> out;
  if (const char* chosen = std::getenv("SEPTET_DATA"); chosen != nullptr && *chosen != '\0') {
    if (!fs::is_directory(chosen)) {
      throw ConfigError::value({}, "SEPTET_DATA", "\"" + std::string(chosen) + "\"",
                               "an existing directory");
    }
    out.emplace_back(chosen);
  }
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) out.push_back(executable.parent_path().parent_path() / "share" / "septet");
  return out;
}

}  // namespace septet::config
