// `septet run`: simulates a scenario and its what-ifs.
#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/replay/replay.hpp"
#include "scenarios/whatif/what_if.hpp"
#include "tools/septet/alternatives/alternatives_text.hpp"
#include "tools/septet/alternatives/picture.hpp"
#include "tools/septet/asked_at.hpp"
#include "tools/septet/claims/claims_output.hpp"
#include "tools/septet/claims/run_claims.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/hardware_system.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/rank_report.hpp"
#include "tools/septet/result_folder.hpp"
#include "tools/septet/run_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet {
namespace {

struct Outcome {
  std::string name;
  RunSummary summary;
  double wall_s = 0;
  std::vector<std::string> notes;
  std::optional<TrainingRate> training;
};

// What `run` returns; a refusal of the model names what was run.
template <class Run>
auto under_name(const std::string& name, Run run) {
  try {
    return run();
  } catch (const ModelError& error) {
    throw ModelError(name + ": " + error.what());
  } catch (const ConfigError& error) {
    if (!error.where().file.empty()) throw;
    throw ConfigError(Location{name}, error.what());
  }
}

RunSummary summary_of(const std::string& name, const Program& program, const SystemSpec& system,
                      const RunOptions& options) {
  return under_name(name, [&] { return summarize(run_program(program, system, options)); });
}

// Of a whole step: none of a run that was cut short.
std::optional<TrainingRate> rate_of(const Scenario& scenario, const SystemSpec& system,
                                    const RunSummary& summary) {
  if (!scenario.training || summary.unfinished.any()) return std::nullopt;
  return training_rate(gpus_by_device(system.gpu, system.others), *scenario.training, summary.span);
}

// The scenario as it is. `rows_of` says who receives the rows of a system, which may be nobody.
template <class RowsOf>
Outcome run_base(const std::string& name, const Scenario& scenario, const RunOptions& options,
                 RowsOf rows_of) {
  const auto begin = std::chrono::steady_clock::now();
  Outcome out;
  out.name = name;
  SystemSpec spec = system_of(scenario.hardware);
  spec.trace_links = true;
  out.summary = under_name(name, [&] {
    System system(scenario.program, spec);
    return summarize(run_program(system, options, rows_of(system)));
  });
  out.training = rate_of(scenario, spec, out.summary);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  out.wall_s = wall.count();
  return out;
}

void note_unfinished(Outcome& outcome) {
  const std::string text = unfinished_text(outcome.summary.unfinished);
  if (!text.empty()) outcome.notes.push_back(text);
}

Outcome run_variation(const WhatIf& what_if, const Scenario& scenario, unsigned threads) {
  Outcome out;
  out.name = what_if.name;
  const SystemSpec system = system_of(scenario.hardware);
  out.summary = summary_of("what if " + what_if.name, scenario.program, system,
                           options_of(scenario.run, threads));
  out.training = rate_of(scenario, system, out.summary);
  note_unfinished(out);
  return out;
}

// The scenario with a change of its program. `where`: who asked for it.
Outcome run_changed(const std::string& name, const Scenario& scenario, const std::string& change,
                    const Location& where, unsigned threads) {
  const SystemSpec system = system_of(scenario.hardware);
  WhatIfState state{scenario.program, system, system, options_of(scenario.run, threads), {}};
  asked_at(where, [&] { apply_what_if(change, state); });
  Outcome out;
  out.name = name;
  out.summary = summary_of("what if " + name, state.program, state.system, state.options);
  out.training = rate_of(scenario, state.system, out.summary);
  out.notes = std::move(state.notes);
  note_unfinished(out);
  return out;
}

// The variations of the file, then those of the command line.
std::vector<Outcome> run_what_ifs(const Scenario& scenario, const std::vector<Scenario>& variations,
                                  const std::vector<std::string>& changes, unsigned threads) {
  std::vector<Outcome> out;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const WhatIf& what_if = scenario.what_ifs[i];
    out.push_back(what_if.change.empty() ? run_variation(what_if, variations[i], threads)
                                         : run_changed(what_if.name, variations[i], what_if.change,
                                                       what_if.where, threads));
    for (const std::string& warning : variations[i].hardware.warnings) {
      const auto& of_base = scenario.hardware.warnings;
      if (std::ranges::find(of_base, warning) != of_base.end()) continue;
      out.back().notes.push_back("warning: " + warning);
    }
  }
  for (const std::string& change : changes) {
    out.push_back(run_changed(change, scenario, change, Location{"--what-if"}, threads));
  }
  return out;
}

Alternative alternative_of(const std::string& name, const Outcome& outcome, double speedup) {
  Alternative out = alternative_of(name, outcome.summary, speedup);
  if (outcome.training) out.tokens_per_second = outcome.training->tokens_per_second;
  return out;
}

std::vector<Alternative> alternatives_of(const Outcome& base,
                                         const std::vector<Outcome>& what_ifs) {
  std::vector<Alternative> out{alternative_of("(as it is)", base, 1.0)};
  for (const Outcome& outcome : what_ifs) {
    const double speedup = ratio(base.summary.span, outcome.summary.span);
    out.push_back(alternative_of(outcome.name, outcome, speedup));
  }
  return out;
}

// What there is of these.
void add_rank_json(const Outcome& outcome, nlohmann::ordered_json& out) {
  if (outcome.summary.ranks) out["ranks"] = ranks_json(*outcome.summary.ranks);
  if (outcome.training) out["training"] = training_json(*outcome.training);
}

nlohmann::ordered_json what_if_json(const Outcome& outcome, const Outcome& base) {
  nlohmann::ordered_json out = {{"name", outcome.name},
                                {"simulated_us", to_us(outcome.summary.span)},
                                {"speedup", ratio(base.summary.span, outcome.summary.span)},
                                {"attribution", attribution_json(outcome.summary.attribution)},
                                {"limited_by", bottleneck_json(outcome.summary)},
                                {"unfinished", unfinished_json(outcome.summary.unfinished)},
                                {"notes", outcome.notes}};
  add_rank_json(outcome, out);
  return out;
}

nlohmann::ordered_json report_json(const Outcome& base, const std::vector<Outcome>& what_ifs,
                                   const std::vector<std::string>& warnings) {
  nlohmann::ordered_json out = {{"simulated_us", to_us(base.summary.span)},
                                {"events", base.summary.engine.events},
                                {"digest", hex(base.summary.engine.digest)},
                                {"wall_s", base.wall_s}};
  out["summary"] = {{"gpu_commands", base.summary.gpu_commands},
                    {"attribution", attribution_json(base.summary.attribution)},
                    {"kernels", kernels_json(base.summary, 10)},
                    {"critical_path", path_json(base.summary)},
                    {"unfinished", unfinished_json(base.summary.unfinished)}};
  add_rank_json(base, out["summary"]);
  if (!base.summary.links.empty()) out["summary"]["links"] = links_json(base.summary, 10);
  out["what_ifs"] = nlohmann::ordered_json::array();
  for (const Outcome& outcome : what_ifs) out["what_ifs"].push_back(what_if_json(outcome, base));
  out["warnings"] = warnings;
  return out;
}

// Who is late in a what-if, if somebody is.
std::string late_text(const Outcome& outcome) {
  const std::optional<RankTimes>& ranks = outcome.summary.ranks;
  return ranks && has_straggler(*ranks) ? "  " + straggler_text(*ranks) : "";
}

std::string report_text(const Outcome& base, const std::vector<Outcome>& what_ifs,
                        std::size_t columns) {
  std::string out = fmt::format("{}: simulated {:.1f} us, {} events, digest {}\n", base.name,
                                to_us(base.summary.span), base.summary.engine.events,
                                hex(base.summary.engine.digest));
  const std::string cut = unfinished_text(base.summary.unfinished);
  out += cut.empty() ? "\n" : cut + "\n\n";
  out += attribution_text(base.summary.attribution, columns) + "\n";
  if (base.summary.ranks) out += ranks_text(*base.summary.ranks, columns);
  if (base.training) out += training_text(*base.training);
  if (base.summary.ranks || base.training) out += "\n";
  out += kernels_text(base.summary, 10, columns);
  if (!base.summary.links.empty()) out += "\n" + links_text(base.summary, 10, columns);
  if (what_ifs.empty()) return out;
  out += "\n" + alternatives_text(alternatives_of(base, what_ifs), columns);
  for (const Outcome& outcome : what_ifs) {
    const std::string late = late_text(outcome);
    if (!outcome.notes.empty() || !late.empty()) out += fmt::format("\n{}:\n", outcome.name);
    out += late;
    for (const std::string& note : outcome.notes) out += fmt::format("  {}\n", note);
  }
  return out;
}

struct Request {
  CommonOptions common;
  std::vector<std::string> names;
  std::vector<std::string> changes;
};

bool read_options(const std::vector<std::string>& arguments, Request& request) {
  Options options(
      {"septet run", "SCENARIO.toml|CLAIM.toml...|FOLDER [options]",
       "Simulates a scenario (scenarios/FORMAT.md) and its what-ifs, or judges claims about GPUs\n"
       "(scenarios/claims/FORMAT.md): each situation of a claim on several GPUs, beside what was\n"
       "measured, and whether it holds. Of a folder, every *.toml is taken.",
       "septet run scenarios/shipped/fork-join.toml --output-dir out/fork-join\n"
       "  septet run scenarios/article"});
  options.positionals("SCENARIO.toml", request.names);
  options.texts("what-if", "CHANGE", request.changes,
                "simulate this change too (scenarios/WHATIFS.md); may be repeated");
  options.common(request.common,
                 {Common::kJson, Common::kThreads, Common::kSet, Common::kOutputDir});
  return options.parse(arguments);
}

int run_claims(const std::vector<ScenarioFile>& files, const Request& request) {
  if (!request.changes.empty() || !request.common.output_dir.empty()) {
    throw UsageError("claims take no --what-if and no --output-dir", "septet run");
  }
  const std::vector<Judgement> judgements =
      judge_claims(files, request.common.settings, data_directories());
  fmt::print("{}", request.common.json
                       ? claims_json(judgements).dump(2) + "\n"
                       : claims_text(judgements, describe_terminal(stdout).columns));
  return kExitOk;
}

}  // namespace

int command_run(const std::vector<std::string>& arguments) {
  Request request;
  if (!read_options(arguments, request)) return kExitOk;
  const std::vector<ScenarioFile> files = read_scenario_files(request.names);
  if (files.size() > 1 || is_claim(files.front().tree)) return run_claims(files, request);
  const CommonOptions& common = request.common;
  const std::string file = files.front().path.string();
  const ProfileLibrary library(data_directories());
  const Configuration configuration = resolve(files.front().tree, common.settings, library);
  const Scenario scenario = read_scenario(configuration);
  const std::vector<Scenario> variations = read_variations(configuration, library);
  print_warnings(scenario.hardware.warnings);
  const auto threads = static_cast<unsigned>(common.threads);
  std::optional<ResultFolder> folder;
  const auto rows_of = [&](const System& system) -> RowSink* {
    if (common.output_dir.empty()) return nullptr;
    folder.emplace(common.output_dir, system);
    folder->set_meta("scenario_toml", resolved_toml(configuration));
    return folder->rows();
  };
  const Outcome base = run_base(file, scenario, options_of(scenario.run, threads), rows_of);
  const std::vector<Outcome> what_ifs =
      run_what_ifs(scenario, variations, request.changes, threads);
  const std::string text = report_text(base, what_ifs, describe_terminal(stdout).columns);
  const nlohmann::ordered_json json = report_json(base, what_ifs, scenario.hardware.warnings);
  if (folder && !what_ifs.empty()) {
    folder->add_file("alternatives.svg",
                     alternatives_svg(scenario.name, alternatives_of(base, what_ifs)));
  }
  if (folder) folder->finish(base.summary, scenario.run.seed, text, json);
  fmt::print("{}", common.json ? json.dump(2) + "\n" : text);
  return kExitOk;
}

}  // namespace septet
