// What `septet hardware` and `septet config` print.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/config/hardware/profile.hpp"

namespace septet::config {

// One line a profile: name, kind, aliases, description.
std::string hardware_list_text(const ProfileLibrary& library);
std::string hardware_list_json(const ProfileLibrary& library);

// Every number of a profile with its unit and source. `name`: a GPU's or a host's name or alias.
// Throws ConfigError where there is none.
std::string hardware_text(const ProfileLibrary& library, const std::string& name);
std::string hardware_json(const ProfileLibrary& library, const std::string& name);

// The resolved configuration of a scenario, all of its what-ifs checked as well, with the origin of
// every value. JSON: {"resolved": the values, "origins": by dotted key}.
std::string config_text(const std::filesystem::path& file, const std::vector<std::string>& settings,
                        const ProfileLibrary& library);
std::string config_json(const std::filesystem::path& file, const std::vector<std::string>& settings,
                        const ProfileLibrary& library);

}  // namespace septet::config
