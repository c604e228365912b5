// `septet replay`: where the time of a recorded step goes, and what would change it.
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/files/output_file.hpp"
#include "scenarios/replay/start_error.hpp"
#include "scenarios/replay/step_times.hpp"
#include "scenarios/study/recording_study.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/results/study_session.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/study/study_report.hpp"
#include "tools/septet/terminal.hpp"

namespace septet::command {
namespace {

constexpr const char* kAsRecorded = "(as recorded)";

struct ReplayOptions {
  CommonOptions common;
  study::RecordingRequest recording;
  StudyOptions study;
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
       "Replays a profiler recording (PyTorch/Kineto JSON, Nsight Systems SQLite or report, JAX\n"
       "and TensorFlow .xplane.pb, trace.h5 of Septet; plain or .gz) from its dependencies, shows\n"
       "where the time goes, and simulates what-ifs. `septet help recordings` says how to record.\n"
       "Recordings of several ranks of one run, in any order, are merged: a collective waits for\n"
       "its last rank.\n\n" +
           what_if_help(),
       "septet replay step.json.gz --what-if cuda-graphs --output-dir out/step\n"
       "  septet replay step.json.gz --target-gpu h100-sxm --what-if cuda-graphs",
       kStudyExitCodes});
  options.positionals("RECORDING", target.recording.files);
  add_study_options(options, target.study);
  options.text("picture", "FILE.svg", target.picture,
               "write a bar chart of the recording and its what-ifs (also in --output-dir)");
  options.text("gpu", "NAME|FILE.toml", target.recording.gpu,
               "GPU of the recording (default: from the recorded device name, else h200-sxm)");
  options.text("like", "NAME", target.recording.like,
               "take the recording's GPU for this one where it has no profile of its own");
  options.text("target-gpu", "NAME|FILE.toml", target.recording.target_gpu,
               "replay on this GPU: what-if gpu=NAME, applied before each of the others");
  options.count("top", target.top, "number of kernels to list (default 10)", 1, 1000);
  options.common(target.common, {Common::kJson, Common::kQuiet, Common::kThreads, Common::kSeed,
                                 Common::kSet, Common::kOutputDir});
  return options.parse(arguments);
}

void plan_what_ifs(StudySession& session, const ReplayOptions& options) {
  const std::string& target = options.recording.target_gpu;
  const std::string moved = target.empty() ? "" : "gpu=" + target;
  if (!moved.empty()) session.plan(moved, {"--target-gpu"});
  for (const std::string& what_if : options.study.what_ifs) {
    session.plan(moved.empty() ? what_if : fmt::format("{} + {}", moved, what_if), {"--what-if"});
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

std::string steps_text(const replay::StepTimes& steps) {
  if (steps.steps == 0) return "";
  return fmt::format(
      "recorded steps: {:.1f} us in the mean, {:.1f} to {:.1f}; {} is slowest: {:+.1f} us of "
      "kernels "
      "and copies, {:+.1f} us of other time against a median step\n",
      to_us(steps.mean), to_us(steps.least), to_us(steps.most), steps.slowest,
      to_us(steps.more_work), to_us(steps.more_idle));
}

nlohmann::ordered_json steps_json(const replay::StepTimes& steps) {
  return {{"mean_us", to_us(steps.mean)},
          {"min_us", to_us(steps.least)},
          {"max_us", to_us(steps.most)},
          {"slowest", steps.slowest},
          {"more_work_us", to_us(steps.more_work)},
          {"more_idle_us", to_us(steps.more_idle)}};
}

std::string unprofiled_text(const study::Outcome& baseline) {
  if (!baseline.unprofiled) return "";
  return fmt::format("without the profiler about {:.1f} us (data/profilers)\n",
                     to_us(*baseline.unprofiled));
}

std::string report_text(const ReplayOptions& options, const study::RecordingStudy& recording,
                        const study::StudyResult& result, const replay::StartError& start_error,
                        std::size_t columns) {
  const recorded::Import& import = recording.import;
  const Duration replayed = result.baseline.summary.span;
  std::string out;
  for (const std::string& text : recording.missing) out += "warning: " + text + "\n";
  for (const std::string& text : recording.advice) out += "advice: " + text + "\n";
  return out + fmt::format(
                   "{}: {} GPU commands in {} step{}\n"
                   "recorded {:.1f} us, replayed {:.1f} us ({:+.2f} %); start error of kernels "
                   "within their step: {:.2f} us median, {:.2f} us maximum\n{}\n{}",
                   names_of(recording.files), import.rows.size(), import.steps.size(),
                   import.steps.size() == 1 ? "" : "s", to_us(import.measured), to_us(replayed),
                   error_percent(replayed, import.measured), to_us(start_error.median),
                   to_us(start_error.max),
                   steps_text(replay::step_times(import)) + unprofiled_text(result.baseline),
                   study_text(result, kAsRecorded, options.top, columns));
}

nlohmann::ordered_json latency_json(const recorded::MeasuredLatency& latency) {
  return {{"time_us", to_us(latency.value)}, {"samples", latency.samples}};
}

nlohmann::ordered_json report_json(const ReplayOptions& options,
                                   const study::RecordingStudy& recording,
                                   const study::StudyResult& result,
                                   const replay::StartError& start_error) {
  const recorded::Import& import = recording.import;
  const analysis::RunSummary& baseline = result.baseline.summary;
  nlohmann::ordered_json out;
  out["recording"] = names_of(recording.files);
  out["baseline"] = {
      {"measured_us", to_us(import.measured)},
      {"simulated_us", to_us(baseline.span)},
      {"error_pct", error_percent(baseline.span, import.measured)},
      {"start_error_us", {{"median", to_us(start_error.median)}, {"max", to_us(start_error.max)}}},
      {"gpu_busy_us",
       to_us(baseline.attribution.busy_union) / static_cast<double>(baseline.attribution.gpus)},
      {"steps", import.steps.size()}};
  const replay::StepTimes steps = replay::step_times(import);
  if (steps.steps > 0) out["baseline"]["step_times"] = steps_json(steps);
  const std::optional<Duration> unprofiled = result.baseline.unprofiled;
  if (unprofiled) out["baseline"]["unprofiled_us"] = to_us(*unprofiled);
  out["attribution"] = attribution_json(baseline.attribution);
  out.update(study_json(result, options.top));
  out["latencies"] = {{"launch", latency_json(import.latencies.launch)},
                      {"graph_launch", latency_json(import.latencies.graph_launch)},
                      {"stream_gap", latency_json(import.latencies.stream_gap)},
                      {"node_gap", latency_json(import.latencies.node_gap)},
                      {"wake", latency_json(import.latencies.wake)}};
  out["anomalies"] = nlohmann::ordered_json::object();
  for (const auto& [what, count] : import.anomalies) out["anomalies"][what] = count;
  out["advice"] = recording.advice;
  out["warnings"] = recording.missing;
  for (const std::string& text : recording.warnings) out["warnings"].push_back(text);
  return out;
}

StudyRequest study_request(const ReplayOptions& options, const study::RecordingStudy& recording) {
  StudyRequest out;
  out.common = options.common;
  out.options = options.study;
  for (const std::string& file : recording.files) {
    out.origin.inputs.push_back(input_record(file, "recording"));
  }
  for (records::InputRecord& profile : profile_records(recording.hardware)) {
    out.origin.inputs.push_back(std::move(profile));
  }
  out.origin.gpu = recording.hardware.gpu.name;
  out.origin.host = recording.hardware.host.name;
  out.origin.seed = options.common.seed;
  for (const std::string& setting : options.common.settings) {
    out.origin.settings.push_back(without_folders(setting));
  }
  out.title = fmt::format("{}, recorded on {}", names_of({recording.files.front()}),
                          recording.hardware.gpu.name);
  out.as_it_is = kAsRecorded;
  out.scenario_toml = without_folders(resolved_toml(recording.hardware, config::Origins::kNames));
  return out;
}

}  // namespace

int command_replay(const std::vector<std::string>& arguments) {
  ReplayOptions options;
  if (!read_options(arguments, options)) return kExitOk;
  std::optional<files::OutputFile> picture;  // before the work that would be lost without it
  if (!options.picture.empty()) picture.emplace(options.picture);
  study::RecordingRequest& request = options.recording;
  request.settings = options.common.settings;
  request.options.threads = static_cast<unsigned>(options.common.threads);
  request.options.seed = options.common.seed;
  study::RecordingStudy recording = read_recordings(request);
  print_anomalies(options, recording.import);
  print_warnings(recording.missing);
  print_warnings(recording.warnings);

  StudyRequest wanted = study_request(options, recording);
  wanted.command_line = command_line("replay", arguments);
  StudySession session(std::move(recording.base), std::move(wanted));
  plan_what_ifs(session, options);
  const replay::StartError error = replay::start_error(recording.import, session.run_baseline());
  session.run_what_ifs();
  if (picture) {
    picture->write(session.chart());
    picture->finish();
  }
  return session.finish(
      [&](std::size_t columns) {
        return report_text(options, recording, session.result(), error, columns);
      },
      report_json(options, recording, session.result(), error));
}

}  // namespace septet::command
