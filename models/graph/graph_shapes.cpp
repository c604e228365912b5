#include "models/graph/graph_shapes.hpp"

#include <map>
#include <set>
#include <utility>

#include "models/graph/compiled_graph.hpp"

namespace septet::graph {
namespace {

using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>;

bool has_row(const program::GraphNode& node) {
  return program::is<program::LaunchKernel>(node) || program::is<program::Copy>(node) ||
         program::is<program::Memset>(node) || program::is<program::JoinCollective>(node);
}

Edges edges_of(const CompiledGraph& graph) {
  Edges edges;
  std::vector<std::set<std::uint32_t>> follows(graph.nodes().size());  // nodes with rows
  for (const std::uint32_t node : graph.order()) {
    const bool shown = has_row(graph.nodes()[node]);
    if (shown) {
      for (const std::uint32_t before : follows[node]) edges.insert({before, node});
    }
    for (const std::uint32_t next : graph.successors(node)) {
      if (shown) {
        follows[next].insert(node);
      } else {
        follows[next].insert(follows[node].begin(), follows[node].end());
      }
    }
  }
  return edges;
}

}  // namespace

GraphShapes graph_shapes(const program::Program& program) {
  GraphShapes out;
  std::map<Edges, std::int64_t> known;
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    const auto number = static_cast<std::int64_t>(known.size());
    const auto [entry, fresh] = known.try_emplace(edges_of(CompiledGraph(program, g)), number);
    out.graphs.push_back({g, entry->second});
    if (!fresh) continue;
    for (const auto& [from, to] : entry->first) out.edges.push_back({number, from, to});
  }
  return out;
}

}  // namespace septet::graph
