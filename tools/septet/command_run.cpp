// `septet run`: simulates a scenario and its what-ifs.
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/program_reader.hpp"
#include "scenarios/config/toml_reader.hpp"
#include "scenarios/replay/replay.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/hardware_system.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/result_folder.hpp"
#include "tools/septet/run_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet {
namespace {

struct Outcome {
  std::string name;
  RunSummary summary;
  double wall_s = 0;
};

Outcome run_scenario(const std::string& name, const Scenario& scenario, unsigned threads,
                     RowSink* rows) {
  const RunOptions options = options_of(scenario.run, threads);
  const auto begin = std::chrono::steady_clock::now();
  Outcome out;
  out.name = name;
  try {
    out.summary =
        summarize(run_program(scenario.program, system_of(scenario.hardware), options, rows));
  } catch (const ModelError& error) {
    throw ModelError(name + ": " + error.what());
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  out.wall_s = wall.count();
  return out;
}

nlohmann::ordered_json what_if_json(const Outcome& outcome, const Outcome& base) {
  return {{"name", outcome.name},
          {"simulated_us", to_us(outcome.summary.span)},
          {"speedup", ratio(base.summary.span, outcome.summary.span)}};
}

nlohmann::ordered_json report_json(const Outcome& base, const std::vector<Outcome>& what_ifs) {
  nlohmann::ordered_json out = {{"simulated_us", to_us(base.summary.span)},
                                {"events", base.summary.engine.events},
                                {"digest", hex(base.summary.engine.digest)},
                                {"wall_s", base.wall_s}};
  out["summary"] = {{"gpu_commands", base.summary.gpu_commands},
                    {"attribution", attribution_json(base.summary.attribution)},
                    {"kernels", kernels_json(base.summary, 10)},
                    {"critical_path", path_json(base.summary)}};
  out["what_ifs"] = nlohmann::ordered_json::array();
  for (const Outcome& outcome : what_ifs) out["what_ifs"].push_back(what_if_json(outcome, base));
  return out;
}

std::string report_text(const Outcome& base, const std::vector<Outcome>& what_ifs,
                        std::size_t columns) {
  std::string out = fmt::format("{}: simulated {:.1f} us, {} events, digest {}\n\n", base.name,
                                to_us(base.summary.span), base.summary.engine.events,
                                hex(base.summary.engine.digest));
  out += attribution_text(base.summary.attribution, columns) + "\n";
  out += kernels_text(base.summary, 10, columns);
  if (!what_ifs.empty()) out += "\n";
  for (const Outcome& outcome : what_ifs) {
    out += fmt::format("what if {}: {:.1f} us, {:.2f}x\n", outcome.name,
                       to_us(outcome.summary.span), ratio(base.summary.span, outcome.summary.span));
  }
  return out;
}

}  // namespace

int command_run(const std::vector<std::string>& arguments) {
  CommonOptions common;
  std::string file;
  Options options({"septet run", "SCENARIO.toml [options]",
                   "Simulates a scenario (scenarios/FORMAT.md) and its what-ifs.",
                   "septet run scenarios/shipped/fork-join.toml --output-dir out/fork-join"});
  options.positional("SCENARIO.toml", file);
  options.common(common, {Common::kJson, Common::kThreads, Common::kSet, Common::kOutputDir});
  if (!options.parse(arguments)) return kExitOk;
  const ProfileLibrary library(data_directories());
  const Configuration configuration = resolve(read_toml_file(file), common.settings, library);
  const Scenario scenario = read_scenario(configuration);
  const std::vector<Scenario> variations = read_variations(configuration, library);
  const auto threads = static_cast<unsigned>(common.threads);
  std::optional<ResultFolder> folder;
  if (!common.output_dir.empty()) {
    folder.emplace(common.output_dir, scenario.program, system_of(scenario.hardware));
    folder->set_meta("scenario_toml", resolved_toml(configuration));
  }
  const Outcome base = run_scenario(file, scenario, threads, folder ? folder->rows() : nullptr);
  std::vector<Outcome> what_ifs;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const std::string& name = scenario.what_ifs[i].name;
    what_ifs.push_back(run_scenario("what if " + name, variations[i], threads, nullptr));
    what_ifs.back().name = name;
  }
  const std::string text = report_text(base, what_ifs, describe_terminal(stdout).columns);
  const nlohmann::ordered_json json = report_json(base, what_ifs);
  if (folder) folder->finish(base.summary, scenario.run.seed, text, json);
  fmt::print("{}", common.json ? json.dump(2) + "\n" : text);
  return kExitOk;
}

}  // namespace septet
