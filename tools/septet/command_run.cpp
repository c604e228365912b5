// `septet run`: simulates a scenario and its what-ifs.
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/study/scenario_study.hpp"
#include "tools/septet/claims/claims_output.hpp"
#include "tools/septet/claims/run_claims.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/results/study_session.hpp"
#include "tools/septet/serving/run_serving_file.hpp"
#include "tools/septet/study/provenance.hpp"
#include "tools/septet/study/study_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kTopKernels = 10;
constexpr const char* kAsItIs = "(unchanged)";

struct RunRequest {
  CommonOptions common;
  std::vector<std::string> names;
  StudyOptions study;
  bool exact = false;
};

bool read_options(const std::vector<std::string>& arguments, RunRequest& request) {
  Options options(
      {"septet run", "SCENARIO.toml|CLAIM.toml...|FOLDER [options]",
       "Simulates a scenario (scenarios/FORMAT.md; LLM serving: scenarios/serving/FORMAT.md) and "
       "its\n"
       "what-ifs, or tests claims about GPUs\n"
       "(scenarios/claims/FORMAT.md): each situation of a claim on several GPUs, compared with\n"
       "measurements, and whether the claim holds. For a folder, all *.toml files are used.",
       "septet run scenarios/shipped/fork-join.toml --output-dir out/fork-join\n"
       "  septet run scenarios/shipped/serving/replicas-8.toml\n"
       "  septet run scenarios/article",
       kStudyExitCodes});
  options.positionals("SCENARIO.toml", request.names);
  add_study_options(options, request.study);
  options.flag("exact", request.exact, kExactText);
  options.common(request.common, {Common::kJson, Common::kQuiet, Common::kThreads, Common::kSet,
                                  Common::kOutputDir});
  const bool go_on = options.parse(arguments);
  if (request.exact) request.common.settings.emplace_back(kExactSetting);
  return go_on;
}

int run_claims(const std::vector<ScenarioFile>& files, const RunRequest& request,
               const CommandClock& clock) {
  if (!request.study.what_ifs.empty() || !request.common.output_dir.empty()) {
    throw UsageError("claims take no --what-if and no --output-dir", "septet run");
  }
  const ClaimResults claims =
      evaluate_claims(files, request.common.settings, config::data_directories());
  if (!request.common.json) {
    fmt::print("{}", claims_text(claims.results, describe_terminal(stdout).columns));
    return kExitOk;
  }
  RunOrigin origin;
  for (const ScenarioFile& file : files) origin.inputs.push_back(input_record(file.path, "claim"));
  origin.settings = request.common.settings;
  add_profiles(origin, claims.configurations);
  nlohmann::ordered_json json = claims_json(claims.results);
  json["provenance"] = provenance_json(origin, "", clock.so_far());
  fmt::print("{}\n", json.dump(2));
  return kExitOk;
}

int run_serving(const ScenarioFile& file, const RunRequest& request, const CommandClock& clock) {
  if (!request.study.what_ifs.empty()) {
    throw UsageError("serving scenarios take no --what-if; their files may have [[what_if]] tables",
                     "septet run");
  }
  return run_serving_file(file.tree, {file.path, request.common, clock});
}

StudyRequest study_request(const ScenarioFile& file, const RunRequest& request,
                           const study::ScenarioStudy& scenario) {
  const config::Configuration& configuration = scenario.configuration;
  StudyRequest out;
  out.common = request.common;
  out.options = request.study;
  out.origin = {{input_record(file.path, "scenario")},
                configuration.gpu.name,
                configuration.host.name,
                scenario.seed,
                {}};
  for (records::InputRecord& profile : profile_records(configuration)) {
    out.origin.inputs.push_back(std::move(profile));
  }
  for (const std::string& setting : request.common.settings) {
    out.origin.settings.push_back(without_folders(setting));
  }
  out.title = fmt::format("{} on {}", scenario.name, configuration.gpu.name);
  out.as_it_is = kAsItIs;
  out.scenario_toml = without_folders(resolved_toml(configuration, config::Origins::kNames));
  return out;
}

int run_scenario(const ScenarioFile& file, const RunRequest& request,
                 const std::vector<std::string>& command_line) {
  const config::ProfileLibrary library(config::data_directories());
  study::ScenarioStudy scenario =
      study::read_scenario_study(file.path.string(), file.tree, request.common.settings, library,
                                 static_cast<unsigned>(request.common.threads));
  print_warnings(scenario.warnings);
  StudyRequest wanted = study_request(file, request, scenario);
  wanted.command_line = command_line;
  StudySession session(std::move(scenario.base), std::move(wanted));
  for (study::Variation& one : scenario.variations) session.plan(std::move(one));
  for (const std::string& what_if : request.study.what_ifs) session.plan(what_if, {"--what-if"});
  session.run_baseline();
  session.run_what_ifs();
  nlohmann::ordered_json json = study_json(session.result(), kTopKernels);
  json["warnings"] = scenario.warnings;
  const std::string name = file.path.filename().string();
  return session.finish(
      [&](std::size_t columns) {
        return run_text(name, session.result(), kAsItIs, kTopKernels, columns);
      },
      std::move(json));
}

}  // namespace

int command_run(const std::vector<std::string>& arguments) {
  RunRequest request;
  if (!read_options(arguments, request)) return kExitOk;
  const CommandClock clock("run", arguments, request.common.threads);
  const std::vector<ScenarioFile> files = read_scenario_files(request.names);
  if (request.exact && !(files.size() == 1 && serving::is_serving(files.front().tree))) {
    throw UsageError("--exact is for scenarios with [serving]: others reuse nothing", "septet run");
  }
  if (files.size() > 1 || claims::is_claim(files.front().tree)) {
    return run_claims(files, request, clock);
  }
  if (serving::is_serving(files.front().tree)) {
    return run_serving(files.front(), request, clock);
  }
  return run_scenario(files.front(), request, command_line("run", arguments));
}

}  // namespace septet::command
