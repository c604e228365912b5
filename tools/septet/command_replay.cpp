// `septet replay`: where the time of a recorded step goes, and what would change it.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/units.hpp"
#include "models/workload/recorded/import/join_ranks.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "models/workload/recorded/recording/rank_order.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/whatif/what_if.hpp"
#include "tools/septet/alternatives/alternatives_text.hpp"
#include "tools/septet/alternatives/picture.hpp"
#include "tools/septet/asked_at.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/hardware_system.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/rank_report.hpp"
#include "tools/septet/result_folder.hpp"
#include "tools/septet/run_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet {
namespace {

constexpr const char* kDefaultGpu = "h200-sxm";

struct ReplayOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string hardware;
  std::string gpu;
  std::vector<std::string> what_ifs;
  std::string picture;
  std::uint64_t top = 10;
};

std::string what_if_help() {
  std::string out =
      "What-ifs (--what-if; several joined by ' + ' act together; scenarios/WHATIFS.md):\n";
  for (const WhatIfKind& kind : what_if_kinds()) {
    out += fmt::format("  {}{}\n      {}\n", kind.name, kind.value, kind.description);
  }
  return out;
}

bool read_options(const std::vector<std::string>& arguments, ReplayOptions& target) {
  Options options(
      {"septet replay", "RECORDING... [options]",
       "Replays a profiler recording (PyTorch/Kineto JSON, plain or .gz, or a trace.h5 of\n"
       "Septet) by its dependencies, says where its time goes, and simulates what-ifs. Recordings\n"
       "of several ranks of one run, in any order, become one: collectives that end together on\n"
       "several of them wait for the latest rank.\n\n" +
           what_if_help(),
       "septet replay step.json.gz --what-if cuda-graphs --output-dir out/step\n"
       "  septet replay step.json.gz --gpu h100-sxm --what-if cuda-graphs"});
  options.positionals("RECORDING", target.files);
  options.texts("what-if", "CHANGE", target.what_ifs, "simulate this change; may be repeated");
  options.text("picture", "FILE.svg", target.picture,
               "draw the recording and its what-ifs as bars (also in --output-dir)");
  options.text("hardware", "NAME|FILE.toml", target.hardware,
               "GPU profile (default: by the recording's device, else h200-sxm)");
  options.text("gpu", "NAME|FILE.toml", target.gpu,
               "the recording on this GPU: what-if gpu=NAME, before each of the others");
  options.count("top", target.top, "how many kernels to list (default 10)", 1, 1000);
  options.common(target.common, {Common::kJson, Common::kQuiet, Common::kThreads, Common::kSeed,
                                 Common::kSet, Common::kOutputDir});
  return options.parse(arguments);
}

// With --gpu: the other GPU alone, then each what-if on it.
std::vector<std::string> what_ifs_of(const ReplayOptions& options) {
  if (options.gpu.empty()) return options.what_ifs;
  std::vector<std::string> out = {"gpu=" + options.gpu};
  for (const std::string& what_if : options.what_ifs) out.push_back(out.front() + " + " + what_if);
  return out;
}

void note(const ReplayOptions& options, const std::string& text) {
  if (!options.common.quiet) fmt::print(stderr, "septet: note: {}\n", text);
}

// The profile that answers to the recording's device, or the default one.
Hardware choose_hardware(const ReplayOptions& options, const RecordedTrace& trace) {
  const ProfileLibrary library(data_directories());
  std::string guess;
  std::string name = options.hardware;
  std::string origin = "--hardware";
  if (name.empty()) {
    name = kDefaultGpu;
    origin = "the default";
    const std::string device = trace.devices.empty() ? "" : trace.devices.front().name;
    bool known = false;
    for (const Profile& profile : library.all()) {
      known = known || (profile.kind == ProfileKind::kGpu && answers_to(profile, device));
    }
    if (known) name = device;
    if (!known) {
      guess = fmt::format(
          "no profile for the recording's device{}: what the recording does not show is taken from "
          "{}{}",
          device.empty() ? ", which it does not name" : " '" + device + "'", kDefaultGpu,
          options.gpu.empty() ? "" : ", and kernels on another GPU are scaled as if from there");
    }
  }
  Hardware hardware = read_hardware(name, "", options.common.settings, library, origin);
  if (!guess.empty()) hardware.warnings.push_back(guess);
  return hardware;
}

void say_oddities(const ReplayOptions& options, const Import& import) {
  for (const auto& [what, count] : import.oddities) {
    note(options, fmt::format("{}: {}", what, count));
  }
}

// All recordings as one, with what was odd in any of them.
Import import_all(const std::vector<RecordedTrace>& traces) {
  std::vector<RankRecording> ranks;
  ImportOptions options;
  for (const RecordedTrace& trace : traces) {
    Import import = import_recording(trace, options);
    options.latencies = import.latencies;
    for (const auto& [what, count] : trace.oddities) import.oddities[what] += count;
    const std::int64_t begin = begin_of(trace, import);
    ranks.push_back({std::move(import), begin});
  }
  return join_ranks(std::move(ranks));
}

std::string files_text(const ReplayOptions& options) {
  return fmt::format("{}", fmt::join(options.files, ", "));
}

double error_percent(Duration simulated, Duration measured) {
  return measured > Duration(0) ? 100.0 * (ratio(simulated, measured) - 1.0) : 0.0;
}

std::string report_text(const ReplayOptions& options, const Import& import,
                        const ReplayReport& report, std::size_t columns) {
  std::string out = fmt::format(
      "{}: {} GPU commands in {} step{}\n"
      "recorded {:.1f} us, replayed {:.1f} us ({:+.2f} %); start of a kernel within its step off "
      "by {:.2f} us (median), {:.2f} us (worst)\n\n",
      files_text(options), import.rows.size(), import.steps.size(),
      import.steps.size() == 1 ? "" : "s", to_us(report.measured), to_us(report.baseline.span),
      error_percent(report.baseline.span, report.measured), to_us(report.start_error.median),
      to_us(report.start_error.max));
  out += attribution_text(report.baseline.attribution, columns) + "\n";
  if (report.baseline.ranks) out += ranks_text(*report.baseline.ranks, columns) + "\n";
  out += kernels_text(report.baseline, options.top, columns) + "\n";
  out += path_text(report.baseline, columns);
  if (report.what_ifs.empty()) return out;
  out += "\n" + alternatives_text(alternatives_of(report), columns) + "\n";
  for (const WhatIfOutcome& outcome : report.what_ifs) {
    out += fmt::format("{}:\n", outcome.name);
    for (const std::string& text : outcome.notes) out += fmt::format("  {}\n", text);
  }
  return out;
}

nlohmann::ordered_json what_if_json(const WhatIfOutcome& outcome) {
  return {{"name", outcome.name},
          {"simulated_us", to_us(outcome.summary.span)},
          {"speedup", outcome.speedup},
          {"attribution", attribution_json(outcome.summary.attribution)},
          {"critical_path", path_json(outcome.summary)},
          {"limited_by", bottleneck_json(outcome.summary)},
          {"notes", outcome.notes}};
}

nlohmann::ordered_json latency_json(const MeasuredLatency& latency) {
  return {{"us", to_us(latency.value)}, {"samples", latency.samples}};
}

nlohmann::ordered_json report_json(const ReplayOptions& options, const Import& import,
                                   const ReplayReport& report,
                                   const std::vector<std::string>& warnings) {
  nlohmann::ordered_json out;
  out["recording"] = files_text(options);
  out["baseline"] = {
      {"measured_us", to_us(report.measured)},
      {"simulated_us", to_us(report.baseline.span)},
      {"error_pct", error_percent(report.baseline.span, report.measured)},
      {"start_error_us",
       {{"median", to_us(report.start_error.median)}, {"max", to_us(report.start_error.max)}}},
      {"gpu_commands", import.rows.size()},
      {"steps", import.steps.size()},
      {"events", report.baseline.engine.events},
      {"digest", hex(report.baseline.engine.digest)}};
  out["attribution"] = attribution_json(report.baseline.attribution);
  if (report.baseline.ranks) out["ranks"] = ranks_json(*report.baseline.ranks);
  out["kernels"] = kernels_json(report.baseline, options.top);
  out["critical_path"] = path_json(report.baseline);
  out["limited_by"] = bottleneck_json(report.baseline);
  out["what_ifs"] = nlohmann::ordered_json::array();
  for (const WhatIfOutcome& outcome : report.what_ifs) {
    out["what_ifs"].push_back(what_if_json(outcome));
  }
  out["latencies"] = {{"launch", latency_json(import.latencies.launch)},
                      {"graph_launch", latency_json(import.latencies.graph_launch)},
                      {"stream_gap", latency_json(import.latencies.stream_gap)},
                      {"node_gap", latency_json(import.latencies.node_gap)},
                      {"wake", latency_json(import.latencies.wake)}};
  out["oddities"] = nlohmann::ordered_json::object();
  for (const auto& [what, count] : import.oddities) out["oddities"][what] = count;
  out["warnings"] = warnings;
  return out;
}

void run_what_ifs(Replay& replay, const ReplayOptions& options) {
  const std::vector<std::string> what_ifs = what_ifs_of(options);
  for (std::size_t i = 0; i < what_ifs.size(); ++i) {
    const bool gpu_alone = i == 0 && !options.gpu.empty();
    asked_at({gpu_alone ? "--gpu" : "--what-if"}, [&] { replay.run_what_if(what_ifs[i]); });
  }
}

}  // namespace

int command_replay(const std::vector<std::string>& arguments) {
  ReplayOptions options;
  if (!read_options(arguments, options)) return kExitOk;
  std::vector<RecordedTrace> traces;
  for (const std::string& file : options.files) traces.push_back(read_recorded(file));
  order_by_rank(traces);
  std::transform(traces.begin(), traces.end(), options.files.begin(),
                 [](const RecordedTrace& trace) { return trace.file; });
  const RecordedTrace& trace = traces.front();
  Hardware hardware = choose_hardware(options, trace);
  if (trace.connections > 0) hardware.connections = trace.connections;
  const Import import = import_all(traces);
  say_oddities(options, import);
  print_warnings(hardware.warnings);

  RunOptions run;
  run.threads = static_cast<unsigned>(options.common.threads);
  run.seed = options.common.seed;
  SystemSpec system = system_of(hardware);
  if (trace.simulated) system.peer_latency = trace.peer_latency;
  Replay replay(import, system, run);
  System made(import.program, replay.system());
  std::optional<ResultFolder> folder;
  if (!options.common.output_dir.empty()) folder.emplace(options.common.output_dir, made);
  replay.run_baseline(made, folder ? folder->rows() : nullptr);
  run_what_ifs(replay, options);

  const std::size_t columns = describe_terminal(stdout).columns;
  const std::string text = report_text(options, import, replay.report(), columns);
  const nlohmann::ordered_json json =
      report_json(options, import, replay.report(), hardware.warnings);
  const std::string picture =
      alternatives_svg(std::filesystem::path(options.files.front()).filename().string(),
                       alternatives_of(replay.report()));
  if (folder && !replay.report().what_ifs.empty()) folder->add_file("alternatives.svg", picture);
  if (!options.picture.empty()) write_text(options.picture, picture);
  if (folder) folder->finish(replay.report().baseline, run.seed, text, json);
  fmt::print("{}", options.common.json ? json.dump(2) + "\n" : text);
  return kExitOk;
}

}  // namespace septet
