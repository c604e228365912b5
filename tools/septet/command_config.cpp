// `septet config`: a scenario with all values resolved.
#include <fmt/format.h>

#include "scenarios/config/hardware_text.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {

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
  const config::ProfileLibrary library(config::data_directories());
  study::check_runs(resolve(config::read_toml_file(file), common.settings, library), library);
  fmt::print("{}", config_text(file, common.settings, library));
  return kExitOk;
}

}  // namespace septet::command
