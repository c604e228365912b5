// The systems that measured rows name, each set up once.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scenarios/config/configuration.hpp"
#include "scenarios/system/system_spec.hpp"
#include "scenarios/validate/measurement.hpp"

namespace septet::validation {

// For rows that name no hardware: a profile and the option that chose it.
struct ChosenHardware {
  std::string name;
  std::string origin;                 // "--hardware"
  std::vector<std::string> settings;  // the "key=value" of each --set, for every GPU
};

class RowSystems {
 public:
  RowSystems(ChosenHardware chosen, const std::vector<std::filesystem::path>& data_directories)
      : chosen_(std::move(chosen)), library_(data_directories) {}

  // That of the row's hardware, else of the chosen one. Throws ConfigError where there is no such
  // profile.
  const system::SystemSpec& of(const MeasuredRow& row);

  // Of all systems so far.
  const std::vector<config::Configuration>& configurations() const { return configurations_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  ChosenHardware chosen_;
  config::ProfileLibrary library_;
  std::map<std::string, system::SystemSpec> systems_;
  std::vector<config::Configuration> configurations_;
  std::vector<std::string> warnings_;
};

}  // namespace septet::validation
