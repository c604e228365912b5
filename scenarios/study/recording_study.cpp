#include "scenarios/study/recording_study.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/workload/recorded/import/join_ranks.hpp"
#include "models/workload/recorded/recorded_reader.hpp"
#include "models/workload/recorded/recording/rank_order.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/replay/recorded_system.hpp"
#include "scenarios/study/hardware_system.hpp"

namespace septet::study {
namespace {

constexpr const char* kDefaultGpu = "h200-sxm";

bool has_profile(const config::ProfileLibrary& library, const std::string& device) {
  return std::ranges::any_of(library.all(), [&](const config::Profile& profile) {
    return profile.kind == config::ProfileKind::kGpu && answers_to(profile, device);
  });
}

// The substitute for the profile of a recording's device.
std::string guess_text(const std::string& device, bool moves) {
  return fmt::format(
      "no profile for the recording's device{}: parameters not visible in the recording are taken "
      "from {}{}",
      device.empty() ? " (not named)" : " '" + device + "'", kDefaultGpu,
      moves ? ", and kernels for another GPU are scaled as if recorded there" : "");
}

// The profile that the request names, else the one that answers to the recording's device, else the
// default one.
config::Hardware hardware_of(const RecordingRequest& request, const recorded::RecordedTrace& trace,
                             config::Configuration& configuration) {
  const config::ProfileLibrary library(config::data_directories());
  const std::string device = trace.devices.empty() ? "" : trace.devices.front().name;
  const bool known = has_profile(library, device);
  const bool chosen = !request.gpu.empty();
  configuration = config::hardware_configuration(chosen  ? request.gpu
                                                 : known ? device
                                                         : kDefaultGpu,
                                                 "", request.settings, library,
                                                 std::string(chosen ? "--gpu" : "the default"));
  config::Hardware out = config::read_hardware(configuration);
  if (!chosen && !known) {
    out.warnings.push_back(guess_text(device, !request.target_gpu.empty()));
  } else if (chosen && known && !config::answers_to(out.gpu, device)) {
    out.warnings.push_back(
        fmt::format("the recording was made on '{}', but --gpu is {}; to replay it on another GPU, "
                    "use --target-gpu",
                    device, out.gpu.name));
  }
  return out;
}

// "step.json: the file is truncated at byte 123; what follows is missing".
std::vector<std::string> missing_in(const recorded::RecordedTrace& trace) {
  std::vector<std::string> out;
  const std::string at =
      trace.cut_at_byte >= 0 ? fmt::format(" at byte {}", trace.cut_at_byte) : "";
  for (const char* what :
       {recorded::kFileEndsEarly, recorded::kGzipEndsEarly, recorded::kRunDidNotEnd}) {
    if (!trace.anomalies.contains(what)) continue;
    out.push_back(fmt::format("{}: {}{}; what follows is missing", trace.file, what, at));
  }
  return out;
}

// All recordings merged, with the anomalies of each.
recorded::Import import_all(const std::vector<recorded::RecordedTrace>& traces) {
  std::vector<recorded::RankRecording> ranks;
  recorded::ImportOptions options;
  for (const recorded::RecordedTrace& trace : traces) {
    recorded::Import import = import_recording(trace, options);
    options.latencies = import.latencies;
    for (const auto& [what, count] : trace.anomalies) import.anomalies[what] += count;
    const std::int64_t begin = begin_of(trace, import);
    ranks.push_back({std::move(import), begin});
  }
  return join_ranks(std::move(ranks));
}

}  // namespace

RecordingStudy read_recordings(const RecordingRequest& request) {
  std::vector<recorded::RecordedTrace> traces;
  for (const std::string& file : request.files) traces.push_back(recorded::read_recorded(file));
  order_by_rank(traces);
  RecordingStudy out;
  for (const recorded::RecordedTrace& trace : traces) {
    out.files.push_back(trace.file);
    for (std::string& text : missing_in(trace)) out.missing.push_back(std::move(text));
  }
  const recorded::RecordedTrace& first = traces.front();
  config::Hardware hardware = hardware_of(request, first, out.hardware);
  if (first.connections > 0) hardware.connections = first.connections;
  out.warnings = hardware.warnings;
  system::SystemSpec profile = system_of(hardware);
  if (first.simulated) profile.peer_latency = first.peer_latency;
  out.import = import_all(traces);
  out.base =
      recorded_case(fmt::format("{}", fmt::join(out.files, ", ")), std::move(out.import.program),
                    out.import.latencies, profile, request.options);
  return out;
}

StudyCase recorded_case(const std::string& name, program::Program program,
                        const recorded::RecordedLatencies& latencies,
                        const system::SystemSpec& profile, const engine::RunOptions& options) {
  return {name,
          {std::move(program), replay::recorded_system(profile, latencies), profile, options, {}},
          std::nullopt};
}

}  // namespace septet::study
