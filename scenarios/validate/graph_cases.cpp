#include "scenarios/validate/graph_cases.hpp"

#include "scenarios/validate/case_run.hpp"

namespace septet::validation {
namespace {

CaseRun launches(program::Kernel kernel, const program::Graph& graph,
                 const system::SystemSpec& system, int count) {
  program::ProgramBuilder builder;
  builder.kernel(std::move(kernel));
  const std::uint32_t stream = builder.stream();
  const std::uint32_t index = builder.graph(graph);
  builder.thread();
  for (int i = 0; i < count; ++i) builder.launch_graph(index, stream);
  builder.synchronize_device();
  return CaseRun(builder.take(), system);
}

Prediction single_launch(const MeasuredRow& row, const system::SystemSpec& system,
                         const program::Graph& graph) {
  const CaseRun run = launches(row_kernel(row, row.number("spin_us")), graph, system, 1);
  if (row.metric == "cpu_launch") return {to_us(run.issue()), run.limiter()};
  return {to_us(run.wall()), run.limiter()};
}

Prediction eager_chain(const MeasuredRow& row, const system::SystemSpec& system,
                       std::int64_t nodes) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(row_kernel(row, row.number("spin_us")));
  const std::uint32_t stream = builder.stream();
  builder.thread();
  for (std::int64_t n = 0; n < nodes; ++n) builder.launch(kernel, stream);
  builder.synchronize_device();
  return predict_wall(builder.take(), system);
}

Prediction graph_chain(const MeasuredRow& row, const system::SystemSpec& system) {
  constexpr int kBackToBack = 20;
  const std::int64_t nodes = row.integer("nodes");
  const program::Graph graph = program::chain_graph(0, static_cast<std::uint32_t>(nodes));
  if (row.metric == "wall_single" || row.metric == "cpu_launch") {
    return single_launch(row, system, graph);
  }
  if (row.metric == "wall_eager_same_work") return eager_chain(row, system, nodes);
  if (row.metric == "wall_per_graph_b2b") {
    const CaseRun run =
        launches(row_kernel(row, row.number("spin_us")), graph, system, kBackToBack);
    return {to_us(run.wall()) / kBackToBack, run.limiter()};
  }
  return unsupported("no metric " + row.metric + " for this case");
}

// A root, `width` chains of `depth` nodes that depend on it, and a last node that joins them.
program::Graph fork_join(std::uint32_t width, std::uint32_t depth) {
  program::Graph graph;
  graph.name = "fork-join";
  graph.nodes.assign(std::size_t{width} * depth + 2, {.what = program::LaunchKernel{0}});
  const auto join = static_cast<std::uint32_t>(graph.nodes.size() - 1);
  for (std::uint32_t w = 0; w < width; ++w) {
    std::uint32_t last = 0;
    for (std::uint32_t d = 0; d < depth; ++d) {
      const std::uint32_t next = 1 + d * width + w;
      graph.edges.push_back({last, next});
      last = next;
    }
    graph.edges.push_back({last, join});
  }
  return graph;
}

Prediction graph_forkjoin(const MeasuredRow& row, const system::SystemSpec& system) {
  return single_launch(row, system,
                       fork_join(static_cast<std::uint32_t>(row.integer("width")),
                                 static_cast<std::uint32_t>(row.integer("depth"))));
}

}  // namespace

std::vector<CaseKind> graph_cases() {
  return {{"graph", "graph_chain", graph_chain}, {"graph", "graph_forkjoin", graph_forkjoin}};
}

}  // namespace septet::validation
