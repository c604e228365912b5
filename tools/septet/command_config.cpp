// `septet config`: a scenario with all values resolved.
#include <fmt/format.h>

#include "scenarios/config/hardware_text.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/serving/serving_case.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/serving/serving_report.hpp"

namespace septet::command {
namespace {

int print_serving(const config::ConfigValue& tree, const std::vector<std::string>& settings) {
  const serving::Libraries libraries(config::data_directories());
  const serving::ServingConfiguration configuration =
      serving::resolve_serving(tree, settings, libraries);
  const serving::ServingCase of = serving::case_of(configuration, libraries);
  for (const config::WhatIfText& what_if : configuration.text.what_ifs) {
    case_of(serving::vary(configuration, *what_if.place.table->find("set"), libraries), libraries);
  }
  fmt::print("{}# {}", serving::resolved_toml(configuration), memory_text(of));
  return kExitOk;
}

}  // namespace

int command_config(const std::vector<std::string>& arguments) {
  CommonOptions common;
  std::string file;
  Options options({"septet config", "FILE.toml [options]",
                   "Checks a scenario and prints it with all resolved values (shipped profile <\n"
                   "scenario < --set) and the origin of each. The output is itself a scenario.",
                   "septet config scenarios/shipped/eager-chain.toml --set run.seed=7"});
  options.positional("FILE.toml", file);
  options.common(common, {Common::kSet});
  if (!options.parse(arguments)) return kExitOk;
  const config::ConfigValue tree = config::read_toml_file(file);
  if (serving::is_serving(tree)) return print_serving(tree, common.settings);
  const config::ProfileLibrary library(config::data_directories());
  study::check_runs(resolve(tree, common.settings, library), library);
  fmt::print("{}", config_text(file, common.settings, library));
  return kExitOk;
}

}  // namespace septet::command
