// The study of a scenario: the file as it is, and its what-ifs.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/configuration.hpp"
#include "scenarios/study/study.hpp"

namespace septet::study {

// `name`: as messages call it. Reads the table [network], where there is one.
StudyCase case_of(const std::string& name, config::Scenario scenario, unsigned threads);

// A what-if of the file: its values laid over the scenario, then a change of the program.
struct Variation {
  StudyCase of;
  std::string change;  // empty: none
  Location where;
};

// Those of `base`, in the order of the file. A mistake in any of them throws. Warnings of theirs
// that the base doesn't have become notes.
std::vector<Variation> variations_of(const config::Configuration& configuration,
                                     const config::Scenario& base,
                                     const config::ProfileLibrary& library, unsigned threads);

// A scenario with its settings and all that is to run.
struct ScenarioStudy {
  config::Configuration configuration;
  std::string name;  // of the scenario
  std::uint64_t seed = 1;
  std::vector<std::string> warnings;
  StudyCase base;
  std::vector<Variation> variations;
};

// `name`: as messages call it. `settings`: the "key=value" of each --set. A mistake in any what-if
// throws.
ScenarioStudy read_scenario_study(const std::string& name, const config::ConfigValue& tree,
                                  const std::vector<std::string>& settings,
                                  const config::ProfileLibrary& library, unsigned threads);

}  // namespace septet::study
