#include "scenarios/sweep/experiment.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/files/sha256.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/explain/kernel_file.hpp"
#include "scenarios/serving/serving_case.hpp"
#include "scenarios/serving/serving_workload.hpp"
#include "scenarios/sweep/experiments.hpp"

namespace septet::sweep {

using config::ConfigValue;

std::string version_of(const config::ProfileLibrary& library, std::string others) {
  for (const config::Profile& profile : library.all()) {
    others += profile.name + config::inline_toml(profile.numbers) + "\n";
  }
  return files::sha256_of_text(others);
}

std::string version_of(const serving::Libraries& libraries) {
  std::string engines;
  for (const serving::EngineProfile& engine : libraries.engines.all()) {
    engines += engine.name + config::inline_toml(engine.numbers) + "\n";
    for (const ConfigValue& of_class : engine.classes) engines += config::inline_toml(of_class);
  }
  return version_of(libraries.hardware, std::move(engines));
}

config::Configuration varied(const config::Configuration& base, const Point& point,
                             const config::ProfileLibrary& library) {
  const Location& where = base.written.where;
  return config::vary(base, {point.name, {}, overlay_of(point, where), {}, where}, library);
}

serving::ServingConfiguration varied(const serving::ServingConfiguration& base, const Point& point,
                                     const serving::Libraries& libraries) {
  return serving::vary(base, overlay_of(point, base.written.where), libraries);
}

std::vector<std::string> logs_of(const serving::ServingConfiguration& configuration) {
  std::vector<std::string> out;
  for (const auto& file : serving::files_of(configuration.text.arrivals)) out.push_back(file);
  return out;
}

void add_category_outputs(std::vector<Output>& out) {
  for (const auto category : values_of<analysis::TimeCategory>()) {
    const std::string name(text_of(category));
    out.push_back({name + "_us", "us", "time of category " + name});
  }
}

void add_category_values(const analysis::Attribution& attribution, std::vector<OutputValue>& out) {
  for (const auto category : values_of<analysis::TimeCategory>()) {
    out.emplace_back(to_us(attribution.mean(category)));
  }
}

void refuse_change(const Point& point, const Location& where, const char* kind) {
  if (point.change.empty()) return;
  throw ConfigError(where, fmt::format("key `change`: {} takes no what-ifs", kind));
}

bool is_infeasible(const std::exception& error) {
  return dynamic_cast<const serving::DoesNotFit*>(&error) != nullptr ||
         dynamic_cast<const serving::NotDivisible*>(&error) != nullptr ||
         dynamic_cast<const explain::BlockDoesNotFit*>(&error) != nullptr;
}

std::vector<std::string> Experiment::arguments_of(const Point& point) const {
  std::vector<std::string> out = {kPointFile};
  if (!point.change.empty()) out.insert(out.end(), {"--what-if", point.change});
  return out;
}

std::unique_ptr<Experiment> experiment_of(Command command, const ConfigValue& scenario,
                                          const Folders& data_directories) {
  switch (command) {
    case Command::kRun:
      return serving::is_serving(scenario) ? serving_experiment(scenario, data_directories)
                                           : scenario_experiment(scenario, data_directories);
    case Command::kReplay:
      return replay_experiment(scenario, data_directories);
    case Command::kExplain:
      return explain_experiment(scenario, data_directories);
    case Command::kCapacity:
      return capacity_experiment(scenario, data_directories);
    case Command::kPlan:
      return plan_experiment(scenario, data_directories);
  }
  SEPTET_ASSERT(false);
}

}  // namespace septet::sweep
