// `septet capacity`: the smallest fleet that meets a scenario's objectives.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/serving/capacity_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

void check_serving(const config::ConfigValue& tree) {
  if (serving::is_serving(tree)) return;
  throw ConfigError(tree.where, "no table [serving]: septet capacity needs a serving scenario");
}

}  // namespace

int command_capacity(const std::vector<std::string>& arguments) {
  CommonOptions common;
  std::string file;
  Options options(
      {"septet capacity",
       "FILE.toml [options]",
       "Finds the smallest fleet of GPUs that serves the requests of a scenario within its\n"
       "objectives (scenarios/serving/FORMAT.md: [slo], [search]): tries every requested GPU,\n"
       "engine and layout, with several seeds. Reports the headroom of the best fleet, the effect\n"
       "of losing a replica, and the GPUs needed if steps are slower or faster than predicted.",
       "septet capacity scenarios/shipped/capacity/chat-8b.toml --set search.max_gpus=16",
       {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitObjective}});
  options.positional("FILE.toml", file);
  options.common(common, {Common::kJson, Common::kThreads, Common::kSet});
  if (!options.parse(arguments)) return kExitOk;
  const config::ConfigValue tree = config::read_toml_file(file);
  check_serving(tree);
  const serving::Libraries libraries(config::data_directories());
  const serving::ServingConfiguration base =
      serving::resolve_serving(tree, common.settings, libraries);
  const capacity::CapacityResult result =
      capacity::search_capacity(base, libraries, static_cast<unsigned>(common.threads));
  fmt::print("{}", common.json ? capacity_json(result).dump(2) + "\n"
                               : capacity_text(result, describe_terminal(stdout).columns));
  return result.best ? kExitOk : kExitObjective;
}

}  // namespace septet::command
