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
#include "scenarios/study/profiler_library.hpp"

namespace septet::study {
namespace {

constexpr const char* kDefaultGpu = "h200-sxm";

bool has_profile(const config::ProfileLibrary& library, const std::string& device) {
  return std::ranges::any_of(library.all(), [&](const config::Profile& profile) {
    return profile.kind == config::ProfileKind::kGpu && answers_to(profile, device);
  });
}

// The substitute for the profile of a recording's device.
std::string guess_text(const std::string& device, const std::string& gpu) {
  return fmt::format(
      "no profile for the recording's device{}: parameters not visible in the recording are taken "
      "from {}",
      device.empty() ? " (not named)" : " '" + device + "'", gpu);
}

// What --like says, on every output.
std::string like_text(const std::string& device, const std::string& gpu) {
  return fmt::format("the recording's device '{}' has no profile; taken for {} (--like)", device,
                     gpu);
}

// The profile that the request names, else the one that answers to the recording's device, else the
// default one.
// `unknown`: the device, where it is named and nothing stands for it.
config::Hardware hardware_of(const RecordingRequest& request, const recorded::RecordedTrace& trace,
                             config::Configuration& configuration, std::string& unknown) {
  const config::ProfileLibrary library(config::data_directories());
  const std::string device = trace.devices.empty() ? "" : trace.devices.front().name;
  const bool known = has_profile(library, device);
  const bool chosen = !request.gpu.empty();
  const bool like = !request.like.empty() && !chosen && !known;
  configuration = config::hardware_configuration(chosen  ? request.gpu
                                                 : known ? device
                                                 : like  ? request.like
                                                         : kDefaultGpu,
                                                 "", request.settings, library,
                                                 std::string(chosen ? "--gpu"
                                                             : like ? "--like"
                                                                    : "the default"));
  config::Hardware out = config::read_hardware(configuration);
  if (like) {
    out.warnings.push_back(like_text(device, out.gpu.name));
  } else if (!chosen && !known) {
    out.warnings.push_back(guess_text(device, kDefaultGpu));
    unknown = device;
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

std::uint64_t count_of(const recorded::Counts& counts, const std::string& what) {
  const auto found = counts.find(what);
  return found == counts.end() ? 0 : found->second;
}

std::vector<std::string> advice_on(const std::vector<recorded::RecordedTrace>& traces,
                                   const recorded::Import& import) {
  std::vector<std::string> out;
  const recorded::RecordedTrace& first = traces.front();
  if (first.with_stack || first.record_shapes) {
    out.push_back(fmt::format("recorded with {}: this slows the CPU down; record times without",
                              first.with_stack && first.record_shapes
                                  ? "with_stack and record_shapes"
                              : first.with_stack ? "with_stack"
                                                 : "record_shapes"));
  }
  const std::uint64_t waits =
      count_of(import.anomalies, "stream waits whose stream or event is unknown");
  if (waits > 0 && !first.simulated) {
    out.push_back(fmt::format(
        "{} stream waits don't say which event they wait for; record synchronisations "
        "(PyTorch: experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True))",
        waits));
  }
  const auto given = static_cast<std::int64_t>(traces.size());
  if (first.world_size > given) {
    out.push_back(fmt::format(
        "{} of {} ranks given: what collectives waited for the others is not known; give all ranks "
        "of a node",
        given, first.world_size));
  }
  const std::uint64_t orphans = count_of(import.anomalies, "GPU work without its launch call");
  if (orphans > 0) {
    out.push_back(
        fmt::format("{} kernels and copies were launched before the recording began: it starts in "
                    "the middle of "
                    "a step; synchronise before, or record more steps",
                    orphans));
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
  std::string unknown;
  config::Hardware hardware = hardware_of(request, first, out.hardware, unknown);
  if (first.connections > 0) hardware.connections = first.connections;
  out.warnings = hardware.warnings;
  system::SystemSpec profile = system_of(hardware);
  if (first.simulated) profile.peer_latency = first.peer_latency;
  out.import = import_all(traces);
  out.advice = advice_on(traces, out.import);
  out.base =
      recorded_case(fmt::format("{}", fmt::join(out.files, ", ")), std::move(out.import.program),
                    out.import.latencies, profile, request.options, profiler_costs(first));
  out.base.state.unknown_gpu = unknown;
  return out;
}

std::vector<AskedChange> changes_of(const RecordingRequest& request,
                                    const std::vector<std::string>& what_ifs) {
  const std::string moved = request.target_gpu.empty() ? "" : "gpu=" + request.target_gpu;
  std::vector<AskedChange> out;
  if (!moved.empty()) out.push_back({moved, "--target-gpu"});
  for (const std::string& what_if : what_ifs) {
    out.push_back({moved.empty() ? what_if : moved + " + " + what_if, "--what-if"});
  }
  return out;
}

StudyCase recorded_case(const std::string& name, program::Program program,
                        const recorded::RecordedLatencies& latencies,
                        const system::SystemSpec& profile, const engine::RunOptions& options,
                        const whatif::ProfilerCosts& profiler) {
  return {name,
          {std::move(program),
           replay::recorded_system(profile, latencies),
           profile,
           options,
           {},
           profiler},
          std::nullopt};
}

}  // namespace septet::study
