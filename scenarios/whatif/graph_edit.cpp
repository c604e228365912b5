#include "scenarios/whatif/graph_edit.hpp"

#include <set>
#include <utility>

namespace septet::whatif {
namespace {

struct Neighbours {
  std::vector<std::set<std::uint32_t>> before, after;
};

Neighbours neighbours_of(const program::Graph& graph) {
  Neighbours out;
  out.before.resize(graph.nodes.size());
  out.after.resize(graph.nodes.size());
  for (const program::GraphEdge& edge : graph.edges) {
    out.before[edge.to].insert(edge.from);
    out.after[edge.from].insert(edge.to);
  }
  return out;
}

void bridge(Neighbours& nodes, std::uint32_t node) {
  for (const std::uint32_t before : nodes.before[node]) nodes.after[before].erase(node);
  for (const std::uint32_t after : nodes.after[node]) nodes.before[after].erase(node);
  for (const std::uint32_t before : nodes.before[node]) {
    for (const std::uint32_t after : nodes.after[node]) {
      nodes.after[before].insert(after);
      nodes.before[after].insert(before);
    }
  }
}

}  // namespace

program::Graph without_nodes(const program::Graph& graph, const std::vector<bool>& removed) {
  Neighbours nodes = neighbours_of(graph);
  program::Graph out;
  out.name = graph.name;
  std::vector<std::uint32_t> place(graph.nodes.size(), kNone);
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (removed[n]) {
      bridge(nodes, n);
      continue;
    }
    place[n] = static_cast<std::uint32_t>(out.nodes.size());
    out.nodes.push_back(graph.nodes[n]);
  }
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (removed[n]) continue;
    for (const std::uint32_t after : nodes.after[n]) out.edges.push_back({place[n], place[after]});
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> chains(const program::Graph& graph,
                                               const std::vector<bool>& wanted) {
  const Neighbours nodes = neighbours_of(graph);
  const auto next = [&](std::uint32_t node) {
    if (nodes.after[node].size() != 1) return kNone;
    const std::uint32_t after = *nodes.after[node].begin();
    return wanted[after] && nodes.before[after].size() == 1 ? after : kNone;
  };
  std::vector<bool> follows(graph.nodes.size(), false);
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (wanted[n] && next(n) != kNone) follows[next(n)] = true;
  }
  std::vector<std::vector<std::uint32_t>> out;
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (!wanted[n] || follows[n]) continue;
    std::vector<std::uint32_t> run;
    for (std::uint32_t node = n; node != kNone; node = next(node)) run.push_back(node);
    if (run.size() > 1) out.push_back(std::move(run));
  }
  return out;
}

}  // namespace septet::whatif
