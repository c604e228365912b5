#include "scenarios/validate/model_cases.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "models/workload/recorded/recorded_reader.hpp"
#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/recorded_step.hpp"

namespace septet::validation {
namespace {

constexpr std::int64_t kMostReplicas = 1024;

// Recordings that several rows name are read once.
class StepLibrary {
 public:
  const RecordedStep& of(const MeasuredRow& row, const system::SystemSpec& system) {
    const std::filesystem::path path =
        std::filesystem::path(row.file).parent_path() / row.text("trace");
    const std::lock_guard lock(mutex_);
    const auto found = steps_.find(path.string());
    if (found != steps_.end()) return found->second;
    const recorded::Import recording =
        recorded::import_recording(recorded::read_recorded(path.string()));
    const auto steps = static_cast<std::size_t>(row.integer("steps_in_trace"));
    return steps_.emplace(path.string(), recorded_step(recording, system, steps)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, RecordedStep> steps_;
};

struct Launches {
  int times = 1;
  bool one_stream = false;   // else each of the step's graphs has one of its own
  std::uint32_t copies = 1;  // of the step's graphs, each on other streams
};

// Launches the step's graphs, then synchronises.
Prediction launch_graphs(const RecordedStep& step, const system::SystemSpec& system,
                         const Launches& how) {
  const auto graphs = static_cast<std::uint32_t>(step.graphs.size());
  program::ProgramBuilder builder;
  for (const program::Kernel& kernel : step.kernels) builder.kernel(kernel);
  for (std::uint32_t copy = 0; copy < how.copies; ++copy) {
    for (const program::Graph& graph : step.graphs) {
      builder.graph(graph);
      builder.stream();
    }
  }
  builder.thread();
  for (int i = 0; i < how.times; ++i) {
    for (std::uint32_t copy = 0; copy < how.copies; ++copy) {
      for (std::uint32_t g = 0; g < graphs; ++g) {
        builder.launch_graph(copy * graphs + g,
                             how.one_stream ? 0 : copy * graphs + step.stream[g]);
      }
    }
  }
  builder.synchronize_device();
  system::SystemSpec shared = system;
  shared.recorded_share = true;  // the eager step ran its kernels one after the other
  return predict_wall_per(builder.take(), shared, how.times);
}

// How many of the recorded models run beside each other.
std::uint32_t copies_of(const MeasuredRow& row) {
  if (!row.has("trace_replicas")) return 1;
  const std::int64_t recorded = row.integer("trace_replicas");
  const std::int64_t wanted = row.integer("replicas");
  if (recorded < 1 || wanted < 1 || wanted > kMostReplicas || wanted % recorded != 0) {
    throw ConfigError::value(
        row.where(), "case.replicas", std::to_string(wanted),
        "a multiple of trace_replicas, at most " + std::to_string(kMostReplicas));
  }
  return static_cast<std::uint32_t>(wanted / recorded);
}

Prediction model(const MeasuredRow& row, const system::SystemSpec& system, StepLibrary& library) {
  constexpr int kBackToBack = 10;
  const RecordedStep& step = library.of(row, system);
  const bool eager = row.metric == "eager_wall" || row.metric == "eager_wall_b2b" ||
                     row.metric == "eager_streams_wall";
  if (eager) return {to_us(step.eager), "host_work"};
  if (row.metric == "graph_wall" || row.metric == "graph_streams_wall") {
    return launch_graphs(step, system, {.copies = copies_of(row)});
  }
  if (row.metric == "graph_wall_b2b") return launch_graphs(step, system, {.times = kBackToBack});
  if (row.metric == "graph_one_stream_wall")
    return launch_graphs(step, system, {.one_stream = true});
  return unsupported("no metric " + row.metric + " for this case");
}

}  // namespace

std::vector<CaseKind> model_cases() {
  const auto library = std::make_shared<StepLibrary>();
  return {{"model", "", [library](const MeasuredRow& row, const system::SystemSpec& system) {
             return model(row, system, *library);
           }}};
}

}  // namespace septet::validation
