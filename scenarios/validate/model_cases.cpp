#include "scenarios/validate/model_cases.hpp"

#include <filesystem>
#include <map>
#include <memory>

#include "models/workload/recorded/recorded_reader.hpp"
#include "scenarios/validate/case_run.hpp"
#include "scenarios/validate/recorded_step.hpp"

namespace septet::validation {
namespace {

// Recordings that several rows name are read once.
class StepLibrary {
 public:
  const RecordedStep& of(const MeasuredRow& row, const system::SystemSpec& system) {
    const std::filesystem::path path =
        std::filesystem::path(row.file).parent_path() / row.text("trace");
    const auto found = steps_.find(path.string());
    if (found != steps_.end()) return found->second;
    const recorded::Import recording =
        recorded::import_recording(recorded::read_recorded(path.string()));
    const auto steps = static_cast<std::size_t>(row.integer("steps_in_trace"));
    return steps_.emplace(path.string(), recorded_step(recording, system, steps)).first->second;
  }

 private:
  std::map<std::string, RecordedStep> steps_;
};

// Launches the step's graphs `times`, on streams of their own or all on one, then synchronises.
Prediction launch_graphs(const RecordedStep& step, const system::SystemSpec& system, int times,
                         bool one_stream) {
  program::ProgramBuilder builder;
  for (const program::Kernel& kernel : step.kernels) builder.kernel(kernel);
  for (std::size_t g = 0; g < step.graphs.size(); ++g) {
    builder.graph(step.graphs[g]);
    builder.stream();
  }
  builder.thread();
  for (int i = 0; i < times; ++i) {
    for (std::uint32_t g = 0; g < step.graphs.size(); ++g) {
      builder.launch_graph(g, one_stream ? 0 : step.stream[g]);
    }
  }
  builder.synchronize_device();
  system::SystemSpec shared = system;
  shared.recorded_share = true;  // the eager step ran its kernels one after the other
  return predict_wall_per(builder.take(), shared, times);
}

Prediction model(const MeasuredRow& row, const system::SystemSpec& system, StepLibrary& library) {
  constexpr int kBackToBack = 10;
  const RecordedStep& step = library.of(row, system);
  const bool eager = row.metric == "eager_wall" || row.metric == "eager_wall_b2b" ||
                     row.metric == "eager_streams_wall";
  if (eager) return {to_us(step.eager), "host_work"};
  if (row.metric == "graph_wall" || row.metric == "graph_streams_wall") {
    return launch_graphs(step, system, 1, false);
  }
  if (row.metric == "graph_wall_b2b") return launch_graphs(step, system, kBackToBack, false);
  if (row.metric == "graph_one_stream_wall") return launch_graphs(step, system, 1, true);
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
