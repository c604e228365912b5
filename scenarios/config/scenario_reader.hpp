// A scenario file into a Program, the hardware that it runs on and the options of the run.
//
// The format is described in scenarios/FORMAT.md. Every error is a ConfigError with file, line and
// column, the key, what was found and what was expected.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/config/configuration.hpp"
#include "scenarios/config/program/scenario.hpp"

namespace septet::config {

// Checks everything except the rules that only a model can check.
Scenario read_scenario(const Configuration& configuration);

// The numbers alone, for commands whose work doesn't come from a scenario.
Hardware read_hardware(const Configuration& configuration);

// The training step of a scenario as it stands, without the Program of all its GPUs.
struct TrainingCase {
  std::string name;
  std::string description;
  Hardware hardware;
  training::TrainingSpec spec;
  std::optional<ConfigValue> plan;     // the table [plan]; `scenarios/training` reads it
  std::optional<ConfigValue> goodput;  // and [goodput]
  std::uint64_t seed = 1;
  Location where;  // of [training]
};
// Throws ConfigError where there is no table [training].
TrainingCase read_training(const Configuration& configuration);

// A file, its settings and its profiles in one step.
Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings,
                       const ProfileLibrary& library);

// The scenario of each what-if of `base`, in their order; a mistake in any of them throws.
std::vector<Scenario> read_variations(const Configuration& base,
                                      const std::vector<WhatIf>& what_ifs,
                                      const ProfileLibrary& library);

}  // namespace septet::config
