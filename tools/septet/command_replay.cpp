// `septet replay`: where the time of a recorded step goes, and what would change it.
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "scenarios/replay/start_error.hpp"
#include "scenarios/study/recording_study.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/result_folder.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/study/study_report.hpp"
#include "tools/septet/study/what_if_chart.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

constexpr const char* kAsRecorded = "(as recorded)";

struct ReplayOptions {
  CommonOptions common;
  study::RecordingRequest recording;
  std::vector<std::string> what_ifs;
  std::string picture;
  std::uint64_t top = 10;
};

std::string what_if_help() {
  std::string out = "What-ifs (--what-if; combine several with ' + '; see scenarios/WHATIFS.md):\n";
  for (const whatif::WhatIfKind& kind : whatif::what_if_kinds()) {
    out += fmt::format("  {}{}\n      {}\n", kind.name, kind.value, kind.description);
  }
  return out;
}

bool read_options(const std::vector<std::string>& arguments, ReplayOptions& target) {
  Options options(
      {"septet replay", "RECORDING... [options]",
       "Replays a profiler recording (PyTorch/Kineto JSON, plain or .gz, or a trace.h5 of\n"
       "Septet) from its dependencies, shows where the time goes, and simulates what-ifs.\n"
       "Recordings of several ranks of one run, in any order, are merged: collectives that end\n"
       "together on several ranks wait for the last one.\n\n" +
           what_if_help(),
       "septet replay step.json.gz --what-if cuda-graphs --output-dir out/step\n"
       "  septet replay step.json.gz --target-gpu h100-sxm --what-if cuda-graphs"});
  options.positionals("RECORDING", target.recording.files);
  options.texts("what-if", "CHANGE", target.what_ifs, "simulate this change; may be repeated");
  options.text("picture", "FILE.svg", target.picture,
               "write a bar chart of the recording and its what-ifs (also in --output-dir)");
  options.text("gpu", "NAME|FILE.toml", target.recording.gpu,
               "GPU of the recording (default: from the recorded device name, else h200-sxm)");
  options.text("target-gpu", "NAME|FILE.toml", target.recording.target_gpu,
               "replay on this GPU: what-if gpu=NAME, applied before each of the others");
  options.count("top", target.top, "number of kernels to list (default 10)", 1, 1000);
  options.common(target.common, {Common::kJson, Common::kQuiet, Common::kThreads, Common::kSeed,
                                 Common::kSet, Common::kOutputDir});
  return options.parse(arguments);
}

void run_what_ifs(study::Study& study, const ReplayOptions& options) {
  const std::string& target = options.recording.target_gpu;
  const std::string moved = target.empty() ? "" : "gpu=" + target;
  if (!moved.empty()) study.run_what_if(moved, {"--target-gpu"});
  for (const std::string& what_if : options.what_ifs) {
    study.run_what_if(moved.empty() ? what_if : moved + " + " + what_if, {"--what-if"});
  }
}

void print_anomalies(const ReplayOptions& options, const recorded::Import& import) {
  if (options.common.quiet) return;
  for (const auto& [what, count] : import.anomalies) {
    fmt::print(stderr, "septet: note: {}: {}\n", what, count);
  }
}

double error_percent(Duration simulated, Duration measured) {
  return measured > Duration(0) ? 100.0 * (ratio(simulated, measured) - 1.0) : 0.0;
}

std::string report_text(const ReplayOptions& options, const study::RecordingStudy& recording,
                        const study::StudyResult& result, const replay::StartError& start_error) {
  const recorded::Import& import = recording.import;
  const Duration replayed = result.baseline.summary.span;
  std::string out;
  for (const std::string& text : recording.missing) out += "warning: " + text + "\n";
  return out + fmt::format(
                   "{}: {} GPU commands in {} step{}\n"
                   "recorded {:.1f} us, replayed {:.1f} us ({:+.2f} %); start error of kernels "
                   "within their "
                   "step: {:.2f} us median, {:.2f} us maximum\n\n{}",
                   result.baseline.name, import.rows.size(), import.steps.size(),
                   import.steps.size() == 1 ? "" : "s", to_us(import.measured), to_us(replayed),
                   error_percent(replayed, import.measured), to_us(start_error.median),
                   to_us(start_error.max),
                   study_text(result, kAsRecorded, options.top, describe_terminal(stdout).columns));
}

nlohmann::ordered_json latency_json(const recorded::MeasuredLatency& latency) {
  return {{"us", to_us(latency.value)}, {"samples", latency.samples}};
}

nlohmann::ordered_json report_json(const ReplayOptions& options,
                                   const study::RecordingStudy& recording,
                                   const study::StudyResult& result,
                                   const replay::StartError& start_error) {
  const recorded::Import& import = recording.import;
  const analysis::RunSummary& baseline = result.baseline.summary;
  nlohmann::ordered_json out;
  out["recording"] = result.baseline.name;
  out["baseline"] = {
      {"measured_us", to_us(import.measured)},
      {"simulated_us", to_us(baseline.span)},
      {"error_pct", error_percent(baseline.span, import.measured)},
      {"start_error_us", {{"median", to_us(start_error.median)}, {"max", to_us(start_error.max)}}},
      {"steps", import.steps.size()}};
  out["attribution"] = attribution_json(baseline.attribution);
  out.update(study_json(result, options.top));
  out["latencies"] = {{"launch", latency_json(import.latencies.launch)},
                      {"graph_launch", latency_json(import.latencies.graph_launch)},
                      {"stream_gap", latency_json(import.latencies.stream_gap)},
                      {"node_gap", latency_json(import.latencies.node_gap)},
                      {"wake", latency_json(import.latencies.wake)}};
  out["anomalies"] = nlohmann::ordered_json::object();
  for (const auto& [what, count] : import.anomalies) out["anomalies"][what] = count;
  out["warnings"] = recording.missing;
  for (const std::string& text : recording.warnings) out["warnings"].push_back(text);
  return out;
}

}  // namespace

int command_replay(const std::vector<std::string>& arguments) {
  ReplayOptions options;
  if (!read_options(arguments, options)) return kExitOk;
  const CommonOptions& common = options.common;
  study::RecordingRequest& request = options.recording;
  request.settings = common.settings;
  request.options.threads = static_cast<unsigned>(common.threads);
  request.options.seed = common.seed;
  study::RecordingStudy recording = read_recordings(request);
  print_anomalies(options, recording.import);
  print_warnings(recording.missing);
  print_warnings(recording.warnings);

  study::Study study(std::move(recording.base));
  std::optional<ResultFolder> folder;
  const auto rows_of = [&](const system::System& system) -> trace::RowSink* {
    if (common.output_dir.empty()) return nullptr;
    folder.emplace(common.output_dir, system);
    return folder->rows();
  };
  const analysis::RunRows rows = study.run_baseline(rows_of, [&](const system::ProgramRun& run) {
    if (folder) folder->write_timeline(run);
  });
  const replay::StartError error = replay::start_error(recording.import, rows);
  run_what_ifs(study, options);

  const study::StudyResult& result = study.result();
  const std::string text = report_text(options, recording, result, error);
  const nlohmann::ordered_json json = report_json(options, recording, result, error);
  const std::string chart = what_if_chart(
      result, kAsRecorded, std::filesystem::path(recording.files.front()).filename().string());
  if (folder && !result.what_ifs.empty()) folder->add_file("what_ifs.svg", chart);
  if (!options.picture.empty()) write_text(options.picture, chart);
  if (folder) folder->finish(result.baseline.summary, common.seed, text, json);
  fmt::print("{}", common.json ? json.dump(2) + "\n" : text);
  return kExitOk;
}

}  // namespace septet::command
