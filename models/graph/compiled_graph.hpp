// A CUDA graph prepared for execution: child graphs flattened, dependencies counted, successors in
// one array. Cycles are rejected. Built once per graph, shared by all its launches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/program.hpp"

namespace septet::graph {

class CompiledGraph {
 public:
  // Throws ConfigError naming the graph if it has a cycle.
  CompiledGraph(const program::Program& program, std::uint32_t graph);

  std::span<const program::GraphNode> nodes() const { return nodes_; }
  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    return {successors_.data() + first_[node], successors_.data() + first_[node + 1]};
  }
  // How many nodes each node waits for.
  std::span<const std::uint32_t> dependencies() const { return dependencies_; }
  std::span<const std::uint32_t> roots() const { return roots_; }
  // Some topological order; the same for the same graph.
  std::span<const std::uint32_t> order() const { return order_; }
  // Nodes on the longest chain of dependencies.
  std::uint32_t depth() const { return depth_; }

 private:
  void flatten(const program::Program& program, std::uint32_t graph,
               std::vector<program::GraphEdge>& edges);
  void sort(const program::Graph& source, const std::vector<program::GraphEdge>& edges);
  void index(const std::vector<program::GraphEdge>& edges);
  void measure_depth();

  std::vector<program::GraphNode> nodes_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint32_t> dependencies_;
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint32_t> order_;
  std::uint32_t depth_ = 0;
};

}  // namespace septet::graph
