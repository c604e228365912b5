#include "scenarios/network/node_profile.hpp"

#include <algorithm>

#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/network/network_reader.hpp"
#include "scenarios/network/network_text.hpp"

namespace septet::config {
namespace {

namespace fs = std::filesystem;

// "description" is the one key that is no number.
void drop_description(ConfigValue& file) {
  const ConfigValue* text = file.find("description");
  if (text == nullptr || text->string() == nullptr) {
    throw ConfigError::value(file.where, "description", text == nullptr ? "nothing" : "no string",
                             "one-line description of the node");
  }
  std::erase_if(*file.table(), [](const ConfigEntry& entry) { return entry.key == "description"; });
}

}  // namespace

network::NodeSpec read_node_profile(const fs::path& file) {
  ConfigValue numbers = read_toml_file(file);
  drop_description(numbers);
  network::NodeSpec spec;
  const std::string root;
  read_fields({numbers, root}, node_profile_fields(), Sources::kRequired, spec);
  return spec;
}

network::NodeSpec find_node_profile(const Name& name, const std::string& key,
                                    const std::vector<fs::path>& data_directories) {
  std::vector<std::string> known;
  for (const fs::path& directory : data_directories) {
    if (!fs::is_directory(directory / "nodes")) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory / "nodes")) {
      if (entry.path().extension() != ".toml") continue;
      if (entry.path().stem() == name.text) return read_node_profile(entry.path());
      known.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(known);
  throw ConfigError::value(
      name.where, key, "\"" + name.text + "\"",
      "a node profile (" + listed(known) + ")" + did_you_mean(name.text, known));
}

}  // namespace septet::config
