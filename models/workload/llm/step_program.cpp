#include "models/workload/llm/step_program.hpp"

#include <utility>

#include "models/program/builder.hpp"

namespace septet::llm {
namespace {

using serving::Execution;

bool is_attention(const TimedKernel& kernel) { return kernel.name == "attention"; }

class StepWriter {
 public:
  explicit StepWriter(const StepLaunch& launch) : launch_(launch) {
    stream_ = build_.stream();
    build_.thread();
  }

  void write(const TimedStep& step) {
    for (std::size_t p = 0; p < step.parts.size(); ++p) {
      in_graph_ = launch_.execution != Execution::kEager &&
                  !(launch_.end_outside && p + 1 == step.parts.size());
      if (!in_graph_) flush();
      write_part(step.parts[p]);
    }
    flush();
  }

  program::Program take() {
    build_.synchronize_stream(stream_);
    return build_.take();
  }

 private:
  void write_part(const TimedPart& part) {
    for (std::uint64_t i = 0; i < part.times; ++i) {
      for (const TimedKernel& kernel : part.kernels) write_kernel(kernel);
    }
  }

  void write_kernel(const TimedKernel& kernel) {
    const bool alone = launch_.execution == Execution::kPiecewiseGraph && is_attention(kernel);
    if (alone) flush();
    put(kernel.name, kernel.shape, kernel.time, in_graph_ && !alone);
    if (kernel.then.any()) {
      put(std::string(text_of(kernel.then.op)), {}, kernel.exchange, in_graph_);
    }
  }

  void put(const std::string& name, const program::LaunchShape& shape, Duration time, bool graph) {
    const std::uint32_t kernel = build_.kernel_once({name, shape, program::RecordedWork{}, {}});
    program::LaunchKernel launch{.kernel = kernel};
    launch.recorded = time;
    if (graph) {
      nodes_.push_back({.what = launch});
      return;
    }
    build_.work(launch_.call - launch_.launch);
    build_.add({.what = launch, .stream = stream_});
  }

  // Launches what has been put into a graph so far.
  void flush() {
    if (nodes_.empty()) return;
    program::Graph graph;
    graph.nodes = std::exchange(nodes_, {});
    for (std::uint32_t i = 1; i < graph.nodes.size(); ++i) graph.edges.push_back({i - 1, i});
    build_.launch_graph(build_.graph(std::move(graph)), stream_);
  }

  const StepLaunch& launch_;
  program::ProgramBuilder build_;
  std::uint32_t stream_ = 0;
  bool in_graph_ = false;
  std::vector<program::GraphNode> nodes_;
};

}  // namespace

program::Program step_program(std::span<const TimedStep> steps, const StepLaunch& launch) {
  StepWriter writer(launch);
  for (const TimedStep& step : steps) writer.write(step);
  return writer.take();
}

}  // namespace septet::llm
