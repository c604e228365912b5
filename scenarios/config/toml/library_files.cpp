#include "scenarios/config/toml/library_files.hpp"

#include <algorithm>
#include <set>

namespace septet::config {

namespace fs = std::filesystem;

std::vector<fs::path> library_files(const std::vector<fs::path>& data_directories,
                                    const std::string& folder) {
  std::vector<fs::path> out;
  std::set<fs::path> names;
  for (const fs::path& data : data_directories) {
    const fs::path directory = data / folder;
    if (!fs::is_directory(directory)) continue;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::ranges::copy_if(files, std::back_inserter(out),
                         [&](const fs::path& file) { return names.insert(file.stem()).second; });
  }
  return out;
}

}  // namespace septet::config
