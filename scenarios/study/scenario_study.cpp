#include "scenarios/study/scenario_study.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/study/hardware_system.hpp"

namespace septet::study {

StudyCase case_of(const std::string& name, config::Scenario scenario, unsigned threads) {
  const system::SystemSpec system = system_of(scenario.hardware);
  return {name,
          {std::move(scenario.program), system, system, options_of(scenario.run, threads), {}},
          std::move(scenario.training)};
}

std::vector<Variation> variations_of(const config::Configuration& configuration,
                                     const config::Scenario& base,
                                     const config::ProfileLibrary& library, unsigned threads) {
  std::vector<config::Scenario> scenarios = read_variations(configuration, base.what_ifs, library);
  std::vector<Variation> out;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const config::WhatIf& what_if = base.what_ifs[i];
    std::vector<std::string> notes;
    for (const std::string& warning : scenarios[i].hardware.warnings) {
      const auto& known = base.hardware.warnings;
      if (std::ranges::find(known, warning) == known.end()) notes.push_back("warning: " + warning);
    }
    out.push_back(
        {case_of(what_if.name, std::move(scenarios[i]), threads), what_if.change, what_if.where});
    out.back().of.state.notes = std::move(notes);
  }
  return out;
}

ScenarioStudy read_scenario_study(const std::string& name, const config::ConfigValue& tree,
                                  const std::vector<std::string>& settings,
                                  const config::ProfileLibrary& library, unsigned threads) {
  ScenarioStudy out;
  out.configuration = resolve(tree, settings, library);
  config::Scenario scenario = read_scenario(out.configuration);
  out.name = scenario.name;
  out.seed = scenario.run.seed;
  out.warnings = scenario.hardware.warnings;
  out.variations = variations_of(out.configuration, scenario, library, threads);
  out.base = case_of(name, std::move(scenario), threads);
  return out;
}

}  // namespace septet::study
