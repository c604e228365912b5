// `septet capacity`: the smallest fleet that meets a scenario's objectives.
#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/results/result_end.hpp"
#include "tools/septet/serving/capacity_report.hpp"
#include "tools/septet/serving/run_serving_file.hpp"
#include "tools/septet/serving/serving_folder.hpp"
#include "tools/septet/study/run_report.hpp"

namespace septet::command {
namespace {

struct Request {
  CommonOptions common;
  std::string file;
  bool exact = false;
};

bool read_options(const std::vector<std::string>& arguments, Request& request) {
  Options options(
      {"septet capacity",
       "FILE.toml [options]",
       "Finds the smallest fleet of GPUs that serves the requests of a scenario within its\n"
       "objectives (scenarios/serving/FORMAT.md: [slo], [search]): tries every requested GPU,\n"
       "engine and layout, with several seeds. Reports the headroom of the best fleet, the effect\n"
       "of losing a replica, and the GPUs needed if steps are slower or faster than predicted.",
       "septet capacity scenarios/shipped/capacity/chat-8b.toml --set search.max_gpus=16\n"
       "  septet capacity scenarios/shipped/capacity/chat-8b.toml --output-dir out/chat",
       {kExitOk, kExitFailure, kExitUsage, kExitInput, kExitObjective}});
  options.positional("FILE.toml", request.file);
  options.flag("exact", request.exact, kExactText);
  options.common(request.common,
                 {Common::kJson, Common::kThreads, Common::kSet, Common::kOutputDir});
  const bool go_on = options.parse(arguments);
  if (request.exact) request.common.settings.emplace_back(kExactSetting);
  return go_on;
}

const serving::ServingRun* run_of(const capacity::CapacityResult& result) {
  return result.best_run ? &result.best_run->run : nullptr;
}

void write_trace(const ResultFolder& folder, const RunOrigin& origin,
                 const serving::ServingConfiguration& base,
                 const capacity::CapacityResult& result) {
  const requests::Workload none;
  write_requests(folder.path(), origin, base, result.best_run ? result.best_run->workload : none,
                 run_of(result));
}

}  // namespace

int command_capacity(const std::vector<std::string>& arguments) {
  Request request;
  if (!read_options(arguments, request)) return kExitOk;
  const CommonOptions& common = request.common;
  const CommandClock clock("capacity", arguments, common.threads);
  const config::ConfigValue tree = config::read_toml_file(request.file);
  const serving::Libraries libraries(config::data_directories());
  const serving::ServingConfiguration base =
      capacity::resolve_search(tree, common.settings, libraries);
  std::optional<ResultFolder> folder;
  if (!common.output_dir.empty()) folder.emplace(common.output_dir);
  const capacity::CapacityResult result =
      capacity::search_capacity(base, libraries, static_cast<unsigned>(common.threads));
  const RunOrigin origin = serving_origin(request.file, base, common.settings);
  if (folder) write_trace(*folder, origin, base, result);
  const serving::ServingRun* run = run_of(result);
  end_result(
      {common, origin, run != nullptr ? hex(run->result.engine.digest) : "", clock.so_far()},
      folder ? &*folder : nullptr,
      [&](std::size_t columns) { return capacity_text(result, columns); }, capacity_json(result));
  return result.best ? kExitOk : kExitObjective;
}

}  // namespace septet::command
