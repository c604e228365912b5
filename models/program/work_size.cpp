#include "models/program/work_size.hpp"

namespace septet::program {
namespace {

double threads_of(const Program& program, const LaunchKernel& launch) {
  const LaunchShape& shape = program.kernels[launch.kernel].shape;
  return static_cast<double>(shape.blocks()) * static_cast<double>(shape.threads_per_block());
}

WorkSize operator+(const WorkSize& a, const WorkSize& b) {
  return {a.calls + b.calls, a.gpu_commands + b.gpu_commands, a.block_threads + b.block_threads};
}

// What one launch of each graph is.
std::vector<WorkSize> sizes_of_graphs(const Program& program) {
  std::vector<WorkSize> out;
  for (const Graph& graph : program.graphs) {
    WorkSize sum;
    for (const GraphNode& node : graph.nodes) {
      if (const auto* child = get_if<ChildGraph>(node)) {
        sum = sum + out[child->graph];
        continue;
      }
      ++sum.gpu_commands;
      if (const auto* launch = get_if<LaunchKernel>(node)) {
        sum.block_threads += threads_of(program, *launch);
      }
    }
    out.push_back(sum);
  }
  return out;
}

WorkSize size_of(const Program& program, std::span<const Call> calls,
                 const std::vector<WorkSize>& graphs) {
  WorkSize sum;
  sum.calls = static_cast<double>(calls.size());
  for (const Call& call : calls) {
    if (const auto* graph = get_if<LaunchGraph>(call)) {
      sum = sum + graphs[graph->graph];
      continue;
    }
    if (is_launch(call.kind())) ++sum.gpu_commands;
    if (const auto* launch = get_if<LaunchKernel>(call)) {
      sum.block_threads += threads_of(program, *launch);
    }
  }
  return sum;
}

}  // namespace

double nodes_with_children(const Graph& graph, const std::vector<double>& earlier) {
  double nodes = 0;
  for (const GraphNode& node : graph.nodes) {
    const auto* child = get_if<ChildGraph>(node);
    nodes += child == nullptr ? 1 : 2 + earlier[child->graph];
  }
  return nodes;
}

// Calls that many threads share are looked at once.
WorkSize work_size(const Program& program) {
  const std::vector<WorkSize> graphs = sizes_of_graphs(program);
  std::vector<WorkSize> lists;
  for (const std::vector<Call>& calls : program.call_lists) {
    lists.push_back(size_of(program, calls, graphs));
  }
  WorkSize sum;
  for (const HostThread& thread : program.threads) {
    sum =
        sum + (thread.list == kNone ? size_of(program, thread.calls, graphs) : lists[thread.list]);
  }
  return sum;
}

}  // namespace septet::program
