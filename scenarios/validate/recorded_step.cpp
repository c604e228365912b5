#include "scenarios/validate/recorded_step.hpp"

#include <algorithm>
#include <map>

#include "core/base/error.hpp"
#include "scenarios/replay/recorded_system.hpp"
#include "scenarios/replay/step_begins.hpp"
#include "scenarios/system/run_program.hpp"
#include "scenarios/whatif/capture.hpp"

namespace septet::validation {
namespace {

struct Launch {
  std::uint32_t graph = 0;
  std::uint32_t stream = 0;
};

std::vector<Launch> graph_launches(const program::Program& program) {
  std::vector<Launch> launches;
  for (const program::HostThread& thread : program.threads) {
    for (const program::Call& call : thread.calls) {
      if (const auto* graph = program::get_if<program::LaunchGraph>(call)) {
        launches.push_back({graph->graph, call.stream});
      }
    }
  }
  return launches;
}

// Whether the recorded program itself ran as graphs.
bool launches_no_kernels(const program::Program& program) {
  return std::ranges::all_of(program.threads, [](const program::HostThread& thread) {
    return std::ranges::none_of(thread.calls, [](const program::Call& call) {
      return program::get_if<program::LaunchKernel>(call) != nullptr;
    });
  });
}

bool same_shape(const program::Graph& a, const program::Graph& b) {
  if (a.nodes.size() != b.nodes.size()) return false;
  // The kernel that a node runs, or the graph inside it.
  const auto object = [](const program::GraphNode& node) {
    if (const auto* child = program::get_if<program::ChildGraph>(node)) return child->graph;
    const auto* launch = program::get_if<program::LaunchKernel>(node);
    return launch == nullptr ? kNone : launch->kernel;
  };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(),
                    [&](const program::GraphNode& one, const program::GraphNode& other) {
                      return one.what.index() == other.what.index() && object(one) == object(other);
                    });
}

// The graphs launched in each step: `launches` cut into `steps` equal parts.
std::size_t launches_per_step(const program::Program& program, const std::vector<Launch>& launches,
                              std::size_t steps) {
  if (steps == 0 || launches.empty() || launches.size() % steps != 0) {
    throw ModelError("the recorded steps do not split into the same graphs");
  }
  const std::size_t each = launches.size() / steps;
  for (std::size_t i = each; i < launches.size(); ++i) {
    if (!same_shape(program.graphs[launches[i].graph], program.graphs[launches[i % each].graph])) {
      throw ModelError("the recorded steps launch different kernels");
    }
  }
  return each;
}

Duration median(std::vector<Duration> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

program::Graph median_graph(const program::Program& program, const std::vector<Launch>& launches,
                            std::size_t first, std::size_t each) {
  program::Graph graph = program.graphs[launches[first].graph];
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (recorded_in(graph.nodes[n]) == nullptr) continue;  // a graph inside it keeps its times
    std::vector<Duration> work;
    for (std::size_t i = first; i < launches.size(); i += each) {
      work.push_back(*recorded_in(program.graphs[launches[i].graph].nodes[n]));
    }
    *recorded_in(graph.nodes[n]) = median(std::move(work));
  }
  return graph;
}

program::Program as_graphs(const recorded::Import& recording, const analysis::RunRows& rows) {
  if (launches_no_kernels(recording.program)) return recording.program;
  whatif::CaptureOptions options;
  options.steps = replay::step_begins(recording, rows);
  return capture_graphs(recording.program, rows, options).program;
}

}  // namespace

RecordedStep recorded_step(const recorded::Import& recording, const system::SystemSpec& system,
                           std::size_t steps) {
  const system::ProgramRun run = system::run_program(
      recording.program, replay::recorded_system(system, recording.latencies), {});
  const analysis::RunRows rows = analysis::collect_rows(run.rows);
  const program::Program program = as_graphs(recording, rows);
  const std::vector<Launch> launches = graph_launches(program);
  const std::size_t each = launches_per_step(program, launches, steps);
  RecordedStep out;
  out.kernels = program.kernels;
  out.eager = rows.span() / static_cast<std::int64_t>(steps);
  std::map<std::uint32_t, std::uint32_t> streams;
  for (std::size_t i = 0; i < each; ++i) {
    out.graphs.push_back(median_graph(program, launches, i, each));
    const auto next = static_cast<std::uint32_t>(streams.size());
    out.stream.push_back(streams.try_emplace(launches[i].stream, next).first->second);
  }
  return out;
}

}  // namespace septet::validation
