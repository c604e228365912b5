// Layers: shipped profile < scenario file < `--set key=value` < a what-if's `set`.
//
// The profile's parameters appear as the tables [gpu] and [host], which a scenario can override.
// The resolved configuration names the origin of every value and can be printed and read again to
// the same result.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/program/scenario.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/config/toml/value.hpp"

namespace septet::config {

// The profiles of an entry of hardware.other.
struct OtherProfiles {
  Profile gpu;
  Profile host;
};

struct Configuration {
  ConfigValue file;      // the scenario as written
  ConfigValue written;   // with the settings laid over
  ConfigValue resolved;  // with the profiles beneath
  Profile gpu;
  Profile host;
  std::vector<OtherProfiles> others{};  // in the order of hardware.other; as profiles have them
};

// `settings`: the "key=value" of each --set, in their order.
Configuration resolve(const ConfigValue& file, const std::vector<std::string>& settings,
                      const ProfileLibrary& library);

// The same with the values of a what-if overlaid. Values in [gpu] and [host] that carry a source
// describe one kind of hardware: they are dropped if the variation selects another.
Configuration vary(const Configuration& base, const WhatIf& what_if, const ProfileLibrary& library);

// As TOML, with the origin of every value as a comment.
std::string resolved_toml(const Configuration& configuration, Origins origins = Origins::kShown);

// The choice of hardware alone, with the numbers of its profiles; parameters as below.
Configuration hardware_configuration(const std::string& gpu, const std::string& host,
                                     const std::vector<std::string>& settings,
                                     const ProfileLibrary& library, const std::string& origin);

// The same for a choice in a file; a profile's file is searched for next to it.
Configuration hardware_configuration(const std::string& gpu, const std::string& host,
                                     const std::vector<std::string>& settings,
                                     const ProfileLibrary& library, const Location& where);

// The hardware of commands without a scenario: a profile by name or alias, the host `host` or, if
// that is empty, the GPU's default, and settings such as "gpu.front_end.stream_gap=1 us". `origin`
// names the choice in messages: "--hardware".
Hardware read_hardware(const std::string& gpu, const std::string& host,
                       const std::vector<std::string>& settings, const ProfileLibrary& library,
                       const std::string& origin);

}  // namespace septet::config
