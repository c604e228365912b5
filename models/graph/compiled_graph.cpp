#include "models/graph/compiled_graph.hpp"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::graph {
namespace {

using Dag = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

Dag to_dag(std::size_t nodes, const std::vector<program::GraphEdge>& edges) {
  Dag dag(nodes);
  for (const program::GraphEdge& edge : edges) boost::add_edge(edge.from, edge.to, dag);
  return dag;
}

bool less(const program::GraphEdge& a, const program::GraphEdge& b) {
  return a.from != b.from ? a.from < b.from : a.to < b.to;
}

bool same(const program::GraphEdge& a, const program::GraphEdge& b) {
  return a.from == b.from && a.to == b.to;
}

}  // namespace

CompiledGraph::CompiledGraph(const program::Program& program, std::uint32_t graph) {
  std::vector<program::GraphEdge> edges;
  flatten(program, graph, edges);
  // A duplicate edge is one dependency, as in CUDA.
  std::sort(edges.begin(), edges.end(), less);
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  sort(program.graphs[graph], edges);
  index(edges);
  measure_depth();
}

// Appends the nodes of `graph`. A child graph is enclosed by an empty first and an empty last node,
// so that its inner edges are unchanged.
void CompiledGraph::flatten(const program::Program& program, std::uint32_t graph,
                            std::vector<program::GraphEdge>& edges) {
  const program::Graph& source = program.graphs[graph];
  std::vector<std::uint32_t> entry(source.nodes.size());
  std::vector<std::uint32_t> exit(source.nodes.size());
  for (std::size_t n = 0; n < source.nodes.size(); ++n) {
    const program::GraphNode& node = source.nodes[n];
    entry[n] = static_cast<std::uint32_t>(nodes_.size());
    const auto* child = program::get_if<program::ChildGraph>(node);
    if (child == nullptr) {
      exit[n] = entry[n];
      nodes_.push_back(node);
      continue;
    }
    const program::GraphNode empty{.what = program::EmptyNode{}};
    nodes_.push_back(empty);
    const auto first_inner = static_cast<std::uint32_t>(nodes_.size());
    flatten(program, child->graph, edges);
    exit[n] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(empty);
    for (std::uint32_t inner = first_inner; inner < exit[n]; ++inner) {
      edges.push_back({entry[n], inner});
      edges.push_back({inner, exit[n]});
    }
  }
  for (const program::GraphEdge& edge : source.edges)
    edges.push_back({exit[edge.from], entry[edge.to]});
}

void CompiledGraph::sort(const program::Graph& source,
                         const std::vector<program::GraphEdge>& edges) {
  const Dag dag = to_dag(nodes_.size(), edges);
  try {
    boost::topological_sort(dag, std::back_inserter(order_));
  } catch (const boost::not_a_dag&) {
    throw ConfigError({},
                      fmt::format("graph '{}': its nodes have a cyclic dependency", source.name));
  }
  std::reverse(order_.begin(), order_.end());
}

void CompiledGraph::index(const std::vector<program::GraphEdge>& edges) {
  first_.assign(nodes_.size() + 1, 0);
  dependencies_.assign(nodes_.size(), 0);
  for (const program::GraphEdge& edge : edges) {
    ++first_[edge.from + 1];
    ++dependencies_[edge.to];
    successors_.push_back(edge.to);  // edges are sorted by `from`
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) first_[n + 1] += first_[n];
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (dependencies_[n] == 0) roots_.push_back(n);
  }
}

void CompiledGraph::measure_depth() {
  std::vector<std::uint32_t> level(nodes_.size(), 1);
  for (const std::uint32_t node : order_) {
    depth_ = std::max(depth_, level[node]);
    for (const std::uint32_t next : successors(node)) {
      level[next] = std::max(level[next], level[node] + 1);
    }
  }
}

}  // namespace septet::graph
