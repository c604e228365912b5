// `septet run`: simulates a scenario and its what-ifs.
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/study/scenario_study.hpp"
#include "tools/septet/claims/claims_output.hpp"
#include "tools/septet/claims/run_claims.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/result_folder.hpp"
#include "tools/septet/serving/run_serving_file.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/study/study_report.hpp"
#include "tools/septet/study/what_if_chart.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kTopKernels = 10;
constexpr const char* kAsItIs = "(unchanged)";

struct RunRequest {
  CommonOptions common;
  std::vector<std::string> names;
  std::vector<std::string> what_ifs;
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
       "  septet run scenarios/article"});
  options.positionals("SCENARIO.toml", request.names);
  options.texts("what-if", "CHANGE", request.what_ifs,
                "also simulate this change (scenarios/WHATIFS.md); may be repeated");
  options.common(request.common,
                 {Common::kJson, Common::kThreads, Common::kSet, Common::kOutputDir});
  return options.parse(arguments);
}

int run_claims(const std::vector<ScenarioFile>& files, const RunRequest& request) {
  if (!request.what_ifs.empty() || !request.common.output_dir.empty()) {
    throw UsageError("claims take no --what-if and no --output-dir", "septet run");
  }
  const std::vector<claims::ClaimResult> results =
      evaluate_claims(files, request.common.settings, config::data_directories());
  fmt::print("{}", request.common.json ? claims_json(results).dump(2) + "\n"
                                       : claims_text(results, describe_terminal(stdout).columns));
  return kExitOk;
}

int run_serving(const ScenarioFile& file, const RunRequest& request) {
  const CommonOptions& common = request.common;
  if (!request.what_ifs.empty() || !common.output_dir.empty()) {
    throw UsageError("serving scenarios take no --what-if and no --output-dir", "septet run");
  }
  return run_serving_file(file.tree, {file.path.stem().string(), common.settings,
                                      static_cast<unsigned>(common.threads), common.json});
}

std::string report_text(const std::string& file, const study::StudyResult& result) {
  const analysis::RunSummary& summary = result.baseline.summary;
  const std::string cut = unfinished_text(summary.unfinished);
  return fmt::format("{}: simulated {:.1f} us, {} events, digest {}\n{}{}\n{}", file,
                     to_us(summary.span), summary.engine.events, hex(summary.engine.digest), cut,
                     cut.empty() ? "" : "\n",
                     study_text(result, kAsItIs, kTopKernels, describe_terminal(stdout).columns));
}

int run_scenario(const ScenarioFile& file, const RunRequest& request) {
  const CommonOptions& common = request.common;
  const auto threads = static_cast<unsigned>(common.threads);
  const config::ProfileLibrary library(config::data_directories());
  const config::Configuration configuration = resolve(file.tree, common.settings, library);
  config::Scenario scenario = read_scenario(configuration);
  std::vector<study::Variation> variations =
      study::variations_of(configuration, scenario, library, threads);
  const std::vector<std::string> warnings = scenario.hardware.warnings;
  print_warnings(warnings);
  const std::string title = scenario.name;
  const std::uint64_t seed = scenario.run.seed;
  study::Study study(study::case_of(file.path.string(), std::move(scenario), threads));
  std::optional<ResultFolder> folder;
  const auto rows_of = [&](const system::System& system) -> trace::RowSink* {
    if (common.output_dir.empty()) return nullptr;
    folder.emplace(common.output_dir, system);
    folder->set_meta("scenario_toml", resolved_toml(configuration));
    return folder->rows();
  };
  study.run_baseline(rows_of, [&](const system::ProgramRun& run) {
    if (folder) folder->write_timeline(run);
  });
  for (study::Variation& one : variations)
    study.run_variation(std::move(one.of), one.change, one.where);
  for (const std::string& what_if : request.what_ifs) study.run_what_if(what_if, {"--what-if"});

  const study::StudyResult& result = study.result();
  const std::string text = report_text(file.path.string(), result);
  nlohmann::ordered_json json = study_json(result, kTopKernels);
  json["warnings"] = warnings;
  if (folder && !result.what_ifs.empty()) {
    folder->add_file("what_ifs.svg", what_if_chart(result, kAsItIs, title));
  }
  if (folder) folder->finish(result.baseline.summary, seed, text, json);
  fmt::print("{}", common.json ? json.dump(2) + "\n" : text);
  return kExitOk;
}

}  // namespace

int command_run(const std::vector<std::string>& arguments) {
  RunRequest request;
  if (!read_options(arguments, request)) return kExitOk;
  const std::vector<ScenarioFile> files = read_scenario_files(request.names);
  if (files.size() > 1 || claims::is_claim(files.front().tree)) return run_claims(files, request);
  if (serving::is_serving(files.front().tree)) return run_serving(files.front(), request);
  return run_scenario(files.front(), request);
}

}  // namespace septet::command
