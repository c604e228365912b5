#include "scenarios/config/configuration.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/fields/convert.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::config {
namespace {

// The profiles that a tree chooses.
using Choice = OtherProfiles;

// KEY of a table that names hardware, as a string; null where it isn't there.
const ConfigValue* named_in(const ConfigValue& hardware, const std::string& path, const char* key) {
  if (hardware.table() == nullptr) Reading{hardware, path}.fail("a table");
  const ConfigValue* name = hardware.find(key);
  if (name == nullptr) return nullptr;
  if (name->string() == nullptr) {
    Reading{*name, joined(path, key)}.fail("the name of a profile");
  }
  return name;
}

// hardware.KEY; null where it isn't there.
const ConfigValue* chosen_name(const ConfigValue& tree, const char* key) {
  const ConfigValue* hardware = tree.find("hardware");
  return hardware == nullptr ? nullptr : named_in(*hardware, "hardware", key);
}

// What the table `hardware` at `path` names.
Choice choose_in(const ConfigValue& hardware, const std::string& path,
                 const ProfileLibrary& library) {
  const ConfigValue* gpu = named_in(hardware, path, "gpu");
  if (gpu == nullptr) {
    throw ConfigError::value(hardware.where, joined(path, "gpu"), "nothing",
                             "the name of a GPU profile, such as \"h200-sxm\"");
  }
  Profile profile =
      library.find(ProfileKind::kGpu, *gpu->string(), gpu->where, joined(path, "gpu"));
  if (const ConfigValue* host = named_in(hardware, path, "host")) {
    return {std::move(profile),
            library.find(ProfileKind::kHost, *host->string(), host->where, joined(path, "host"))};
  }
  if (profile.default_host.empty()) {
    throw ConfigError::value(gpu->where, joined(path, "host"), "nothing",
                             "a host profile, since " + profile.name + " names none");
  }
  Profile host = library.find(ProfileKind::kHost, profile.default_host,
                              Location{profile.file.string()}, "host");
  return {std::move(profile), std::move(host)};
}

Choice choose(const ConfigValue& tree, const ProfileLibrary& library) {
  const ConfigValue nothing{ConfigValue::Table{}, tree.where};
  const ConfigValue* hardware = tree.find("hardware");
  return choose_in(hardware == nullptr ? nothing : *hardware, "hardware", library);
}

std::vector<OtherProfiles> choose_others(const ConfigValue& tree, const ProfileLibrary& library) {
  std::vector<OtherProfiles> out;
  const ConfigValue* others = tree.find("hardware")->find("other");
  if (others == nullptr) return out;
  if (others->array() == nullptr) Reading{*others, "hardware.other"}.fail("a list of tables");
  for (std::size_t i = 0; i < others->array()->size(); ++i) {
    const std::string path = fmt::format("hardware.other.{}", i);
    out.push_back(choose_in((*others->array())[i], path, library));
  }
  return out;
}

// Removes the numbers that name their source from a table and the tables in it.
void drop_sourced(ConfigValue* value) {
  if (value == nullptr || value->table() == nullptr) return;
  std::erase_if(*value->table(), [](const ConfigEntry& entry) {
    return entry.value.find("value") != nullptr && entry.value.find("source") != nullptr;
  });
  for (ConfigEntry& entry : *value->table()) drop_sourced(&entry.value);
}

bool same_choice(const ConfigValue& a, const ConfigValue& b, const char* key) {
  const ConfigValue* left = chosen_name(a, key);
  const ConfigValue* right = chosen_name(b, key);
  if (left == nullptr || right == nullptr) return left == right;
  return *left->string() == *right->string();
}

// Overlays `over` on `tree`, dropping the parameters of hardware that is no longer selected.
void lay_over_choice(ConfigValue& tree, const std::vector<ConfigValue>& over) {
  ConfigValue choosing = tree;
  for (const ConfigValue& layer : over) lay_over(choosing, layer);
  const bool same_gpu = same_choice(tree, choosing, "gpu");
  const bool own_host = chosen_name(choosing, "host") != nullptr;
  const bool same_host = same_choice(tree, choosing, "host") && (same_gpu || own_host);
  if (!same_gpu) drop_sourced(tree.find("gpu"));
  if (!same_host) drop_sourced(tree.find("host"));
  for (const ConfigValue& layer : over) lay_over(tree, layer);
}

// {key = value}, to be laid over. Not by a list of entries, which would be copied once more.
ConfigValue under(const std::string& key, const ConfigValue& value) {
  ConfigValue out{ConfigValue::Table{}, value.where};
  out.table()->push_back({key, value.where, value});
  return out;
}

Configuration with_profiles(const ConfigValue& file, ConfigValue written,
                            const ProfileLibrary& library) {
  Choice choice = choose(written, library);
  Configuration out{file, std::move(written), {}, std::move(choice.gpu), std::move(choice.host)};
  out.others = choose_others(out.written, library);
  out.resolved = under("gpu", out.gpu.numbers);
  out.resolved.where = out.written.where;
  out.resolved.table()->push_back({"host", out.host.numbers.where, out.host.numbers});
  lay_over(out.resolved, out.written);
  // The many hardware parameters come last, after what users look for.
  ConfigValue::Table& table = *out.resolved.table();
  std::stable_partition(table.begin(), table.end(), [](const ConfigEntry& entry) {
    return entry.key != "gpu" && entry.key != "host";
  });
  return out;
}

}  // namespace

Configuration resolve(const ConfigValue& file, const std::vector<std::string>& settings,
                      const ProfileLibrary& library) {
  std::vector<ConfigValue> layers;
  for (const std::string& setting : settings) layers.push_back(read_setting(setting, "--set"));
  ConfigValue written = file;
  lay_over_choice(written, layers);
  return with_profiles(file, std::move(written), library);
}

Configuration vary(const Configuration& base, const WhatIf& what_if,
                   const ProfileLibrary& library) {
  ConfigValue written = base.written;
  lay_over_choice(written, {undotted(what_if.set)});
  return with_profiles(base.file, std::move(written), library);
}

std::string resolved_toml(const Configuration& configuration, Origins origins) {
  const auto shown = [&](const Profile& profile) {
    return origins == Origins::kNames ? profile.file.filename().string() : profile.file.string();
  };
  const std::string head = fmt::format(
      "# Resolved configuration: every value with its origin.\n"
      "# GPU profile: {} ({}). Host profile: {} ({}).\n",
      configuration.gpu.name, shown(configuration.gpu), configuration.host.name,
      shown(configuration.host));
  return head + write_toml(configuration.resolved, origins);
}

Configuration hardware_configuration(const std::string& gpu, const std::string& host,
                                     const std::vector<std::string>& settings,
                                     const ProfileLibrary& library, const std::string& origin) {
  return hardware_configuration(gpu, host, settings, library, Location{origin});
}

Configuration hardware_configuration(const std::string& gpu, const std::string& host,
                                     const std::vector<std::string>& settings,
                                     const ProfileLibrary& library, const Location& where) {
  ConfigValue choice{ConfigValue::Table{}, where};
  choice.table()->push_back({"gpu", where, {gpu, where}});
  if (!host.empty()) choice.table()->push_back({"host", where, {host, where}});
  return resolve(under("hardware", choice), settings, library);
}

Hardware read_hardware(const std::string& gpu, const std::string& host,
                       const std::vector<std::string>& settings, const ProfileLibrary& library,
                       const std::string& origin) {
  return read_hardware(hardware_configuration(gpu, host, settings, library, origin));
}

}  // namespace septet::config
