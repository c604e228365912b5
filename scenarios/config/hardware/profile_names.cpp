// Finding a profile by one of its names.
#include <algorithm>
#include <cctype>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/near_miss.hpp"

namespace septet::config {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <class Named>
bool is_name_of(const Named& named, const std::string& name) {
  const auto same = [&](const std::string& own) { return lower(own) == lower(name); };
  return same(named.name) || std::any_of(named.aliases.begin(), named.aliases.end(), same);
}

}  // namespace

bool answers_to(const Profile& profile, const std::string& name) {
  return is_name_of(profile, name);
}
bool answers_to(const gpu::GpuSpec& gpu, const std::string& name) { return is_name_of(gpu, name); }

ConfigError unknown_profile(const std::vector<Profile>& profiles, const std::string& what,
                            const std::string& name, const Location& where,
                            const std::string& key) {
  std::vector<std::string> names;
  std::vector<std::string> candidates;
  for (const Profile& profile : profiles) {
    names.push_back(profile.name);
    candidates.push_back(profile.name);
    candidates.insert(candidates.end(), profile.aliases.begin(), profile.aliases.end());
  }
  if (names.empty()) {
    return ConfigError::value(where, key, "\"" + name + "\"",
                              what +
                                  ", but there are no profiles at all, neither in $SEPTET_DATA "
                                  "nor in ../share/septet of the folder of septet");
  }
  return ConfigError::value(where, key, "\"" + name + "\"",
                            what + " (" + listed(names) + ")" + did_you_mean(name, candidates));
}

}  // namespace septet::config
