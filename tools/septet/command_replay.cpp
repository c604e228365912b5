// `septet replay`: where the time of a recorded step goes, and what would change it.
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/files/output_file.hpp"
#include "scenarios/replay/start_error.hpp"
#include "scenarios/study/recording_study.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/results/study_session.hpp"
#include "tools/septet/study/replay_report.hpp"

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
  for (const study::AskedChange& one : changes_of(options.recording, options.study.what_ifs)) {
    session.plan(one.change, {one.asked_by});
  }
}

void print_anomalies(const ReplayOptions& options, const recorded::Import& import) {
  if (options.common.quiet) return;
  for (const auto& [what, count] : import.anomalies) {
    fmt::print(stderr, "septet: note: {}: {}\n", what, count);
  }
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
        return replay_text(recording, session.result(), error, kAsRecorded, options.top, columns);
      },
      replay_json(recording, session.result(), error, options.top));
}

}  // namespace septet::command
