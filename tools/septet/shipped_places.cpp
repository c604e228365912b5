#include "tools/septet/shipped_places.hpp"

#include <string_view>

namespace septet::command {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kData = "data/";  // the folder of the source tree that is installed

std::string place_of(const std::string& word, const std::vector<fs::path>& folders) {
  const bool is_data = word.starts_with(kData);
  if ((!is_data && !word.starts_with("scenarios/")) || fs::exists(word)) return word;
  const std::string inside = is_data ? word.substr(kData.size()) : word;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / inside)) return (folder / inside).string();
  }
  return word;
}

}  // namespace

std::string with_places(const std::string& example, const std::vector<fs::path>& folders) {
  std::string out;
  std::string word;
  for (const char c : example + "\n") {
    if (c != ' ' && c != '\n') {
      word += c;
      continue;
    }
    out += place_of(word, folders) + c;
    word.clear();
  }
  out.pop_back();
  return out;
}

}  // namespace septet::command
