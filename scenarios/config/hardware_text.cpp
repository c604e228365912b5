#include "scenarios/config/hardware_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/config/toml/value_json.hpp"

namespace septet::config {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(ProfileKind kind) { return kind == ProfileKind::kGpu ? "gpu" : "host"; }

// One number of a profile: its dotted key, its value and where it comes from.
struct Number {
  std::string key;
  ConfigValue value;
  std::string source;
};

void collect(const ConfigValue& tree, const std::string& path, std::vector<Number>& out) {
  for (const ConfigEntry& entry : *tree.table()) {
    const std::string key = joined(path, entry.key);
    const ConfigValue* value = entry.value.find("value");
    if (value != nullptr) {
      out.push_back({key, *value, *entry.value.find("source")->string()});
    } else {
      collect(entry.value, key, out);
    }
  }
}

std::vector<Number> numbers_of(const Profile& profile) {
  std::vector<Number> out;
  collect(profile.numbers, "", out);
  return out;
}

std::string plain(const ConfigValue& value) {
  if (value.string() != nullptr) return *value.string();
  if (value.array() == nullptr) return inline_toml(value);
  std::vector<std::string> parts;
  for (const ConfigValue& element : *value.array()) parts.push_back(plain(element));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The origin of each plain value under its dotted key.
void collect_origins(const ConfigValue& value, const std::string& path, Json& out) {
  if (const ConfigValue::Table* table = value.table()) {
    for (const ConfigEntry& entry : *table) {
      collect_origins(entry.value, joined(path, entry.key), out);
    }
  } else if (const ConfigValue::Array* array = value.array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      collect_origins((*array)[i], element_path(path, (*array)[i], i), out);
    }
  } else {
    out[path] = value.where.text();
  }
}

Configuration checked(const std::filesystem::path& file, const std::vector<std::string>& settings,
                      const ProfileLibrary& library) {
  Configuration configuration = resolve(read_toml_file(file), settings, library);
  read_variations(configuration, read_scenario(configuration).what_ifs, library);
  return configuration;
}

Profile find_any(const ProfileLibrary& library, const std::string& name) {
  if (std::optional<Profile> own = library.in_file(name, {})) return std::move(*own);
  for (const Profile& profile : library.all()) {
    if (answers_to(profile, name)) return profile;
  }
  throw unknown_profile(library.all(), "a profile", name, {}, "hardware");
}

Json head_of(const Profile& profile) {
  Json out = {{"name", profile.name},
              {"kind", kind_name(profile.kind)},
              {"aliases", profile.aliases},
              {"description", profile.description},
              {"file", profile.file.string()}};
  if (profile.kind == ProfileKind::kGpu) out["host"] = profile.default_host;
  if (!profile.base.empty()) out["base"] = profile.base;
  return out;
}

}  // namespace

std::string hardware_list_text(const ProfileLibrary& library) {
  std::size_t width = 4;
  for (const Profile& profile : library.all()) width = std::max(width, profile.name.size());
  std::string out;
  for (const Profile& profile : library.all()) {
    out += fmt::format("{:{}}  {:4}  {}", profile.name, width, kind_name(profile.kind),
                       profile.description);
    if (!profile.aliases.empty()) out += fmt::format(" (also: {})", listed(profile.aliases));
    out += "\n";
  }
  return out;
}

std::string hardware_list_json(const ProfileLibrary& library) {
  Json out = Json::array();
  for (const Profile& profile : library.all()) out.push_back(head_of(profile));
  return out.dump(2) + "\n";
}

std::string hardware_text(const ProfileLibrary& library, const std::string& name) {
  const Profile profile = find_any(library, name);
  std::string out =
      fmt::format("{}: {}\nfile: {}\n", profile.name, profile.description, profile.file.string());
  if (!profile.aliases.empty()) out += fmt::format("aliases: {}\n", listed(profile.aliases));
  if (!profile.default_host.empty()) out += fmt::format("host: {}\n", profile.default_host);
  if (!profile.base.empty()) out += fmt::format("base: {}\n", profile.base);
  out += "\n";
  const std::vector<Number> numbers = numbers_of(profile);
  std::size_t key_width = 0;
  for (const Number& number : numbers) key_width = std::max(key_width, number.key.size());
  for (const Number& number : numbers) {
    out += fmt::format("{:{}}  {}\n{:{}}    {}\n", number.key, key_width, plain(number.value), "",
                       key_width, number.source);
  }
  return out;
}

std::string hardware_json(const ProfileLibrary& library, const std::string& name) {
  const Profile profile = find_any(library, name);
  Json out = head_of(profile);
  Json& numbers = out["numbers"] = Json::object();
  for (const Number& number : numbers_of(profile)) {
    numbers[number.key] = {{"value", json_of(number.value)}, {"source", number.source}};
  }
  return out.dump(2) + "\n";
}

std::string config_text(const std::filesystem::path& file, const std::vector<std::string>& settings,
                        const ProfileLibrary& library) {
  return resolved_toml(checked(file, settings, library));
}

std::string config_json(const std::filesystem::path& file, const std::vector<std::string>& settings,
                        const ProfileLibrary& library) {
  const Configuration configuration = checked(file, settings, library);
  Json origins = Json::object();
  collect_origins(configuration.resolved, "", origins);
  Json out = {{"resolved", json_of(configuration.resolved)}, {"origins", std::move(origins)}};
  return out.dump(2) + "\n";
}

}  // namespace septet::config
