#include "tools/septet/study/replay_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/replay/step_times.hpp"
#include "tools/septet/study/provenance.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/study/study_report.hpp"

namespace septet::command {
namespace {

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

nlohmann::ordered_json latency_json(const recorded::MeasuredLatency& latency) {
  return {{"time_us", to_us(latency.value)}, {"samples", latency.samples}};
}

}  // namespace

nlohmann::ordered_json replay_json(const study::RecordingStudy& recording,
                                   const study::StudyResult& result,
                                   const replay::StartError& start_error, std::size_t top) {
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
  out.update(study_json(result, top));
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

std::string replay_text(const study::RecordingStudy& recording, const study::StudyResult& result,
                        const replay::StartError& start_error, const std::string& as_it_is,
                        std::size_t top, std::size_t columns) {
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
                   study_text(result, as_it_is, top, columns));
}

}  // namespace septet::command
