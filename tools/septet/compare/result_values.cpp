#include "tools/septet/compare/result_values.hpp"

#include <cstddef>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/files/input.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

bool has_name(const Json& entry) {
  return entry.is_object() && entry.contains("name") && entry.at("name").is_string();
}

// Whether the entries of this list can be told apart by their names.
bool is_named(const Json& list) {
  std::set<std::string> names;
  for (const Json& entry : list) {
    if (!has_name(entry) || !names.insert(entry.at("name").get<std::string>()).second) return false;
  }
  return true;
}

void add_values(const std::string& key, const Json& json, ResultValues& out) {
  if (json.is_object()) {
    for (const auto& [name, value] : json.items()) {
      add_values(key.empty() ? name : key + "." + name, value, out);
    }
  } else if (json.is_array()) {
    const bool named = is_named(json);
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string name = named ? json[i].at("name").get<std::string>() : fmt::to_string(i);
      add_values(fmt::format("{}[{}]", key, name), json[i], out);
    }
  } else if (json.is_number()) {
    out.emplace_back(key, json.get<double>());
  } else if (!json.is_null()) {
    out.emplace_back(key, json.is_string() ? json.get<std::string>() : json.dump());
  }
}

}  // namespace

ResultValues values_of(const Json& json) {
  ResultValues out;
  add_values("", json, out);
  return out;
}

ResultValues read_values(const std::string& path) {
  const bool folder = std::filesystem::is_directory(path);
  const std::string file = folder ? (std::filesystem::path(path) / "summary.json").string() : path;
  const Json json = Json::parse(files::read_text(file), nullptr, false);
  if (!json.is_object()) {
    throw ConfigError({file},
                      "wanted a result as JSON: the file that 'septet run' or 'septet "
                      "replay' leaves in its folder, or what --json prints");
  }
  return values_of(json);
}

}  // namespace septet::command
