// Reads and evaluates the claims of some files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/claims/claim_result.hpp"
#include "scenarios/config/configuration.hpp"

namespace septet::command {

struct ScenarioFile {
  std::filesystem::path path;
  config::ConfigValue tree;
};

// The files that `names` are; of a folder, its *.toml in alphabetical order. Throws ConfigError for
// a folder that holds none.
std::vector<ScenarioFile> read_scenario_files(const std::vector<std::string>& names);

struct ClaimResults {
  std::vector<claims::ClaimResult> results;           // in the order of the files
  std::vector<config::Configuration> configurations;  // of the GPUs
};

// `settings`: the "key=value" of each --set, for the numbers of every GPU. Throws ConfigError where
// a file is no claim.
ClaimResults evaluate_claims(const std::vector<ScenarioFile>& files,
                             const std::vector<std::string>& settings,
                             const std::vector<std::filesystem::path>& data_directories);

}  // namespace septet::command
