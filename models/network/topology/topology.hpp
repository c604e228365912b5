// A network of GPUs as a directed graph: connections with rate and latency.
//
// Modelled: GPUs, NVSwitches, PCIe switches, CPUs, NICs and the switches of a network; each
// direction of each cable as a link with a rate and a latency. Ignored: lanes and ports of a link,
// the inside of a switch (any input reaches any output at full rate), packets.
//
// Immutable; made by TopologyBuilder or one of shapes.hpp. About 150 bytes for each GPU with its
// share of switches and links in a cluster of HGX nodes. Threads may share one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/network/topology/link.hpp"

namespace septet::network {

class Topology {
 public:
  std::uint32_t gpu_count() const { return static_cast<std::uint32_t>(gpus_.size()); }
  std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(vertices_.size()); }
  std::uint32_t link_count() const { return static_cast<std::uint32_t>(links_.size()); }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(first_gpu_.size()) - 1; }

  const Vertex& vertex(VertexId vertex) const { return vertices_[vertex]; }
  const Link& link(LinkId link) const { return links_[link]; }
  std::string link_name(LinkId link) const;  // "gpu0->nvswitch0"

  // GPUs are numbered from 0 in the order in which they were added.
  VertexId gpu_vertex(std::uint32_t gpu) const { return gpus_[gpu]; }
  const std::string& gpu_name(std::uint32_t gpu) const { return vertices_[gpus_[gpu]].name; }
  std::uint32_t node_of(std::uint32_t gpu) const { return vertices_[gpus_[gpu]].node; }
  std::span<const std::uint32_t> node_gpus(std::uint32_t node) const {
    return {node_gpus_.data() + first_gpu_[node], node_gpus_.data() + first_gpu_[node + 1]};
  }
  // Which of its node's GPUs it is; GPUs of one number share a rail.
  std::uint32_t local_index(std::uint32_t gpu) const { return local_index_[gpu]; }

  // The links that leave a vertex have consecutive numbers.
  struct LinkRange {
    LinkId first;
    LinkId last;
  };
  LinkRange links_from(VertexId vertex) const {
    return {first_link_[vertex], first_link_[vertex + 1]};
  }

  // Whether traffic of others may pass through a GPU, as in rings without switches.
  bool gpus_forward() const { return gpus_forward_; }
  // Extents whose product is the number of GPUs, nearest first: {8, 512} for 512 nodes of 8. GPU g
  // has the coordinates g % 8 and g / 8. One extent where the shape has no levels.
  std::span<const std::uint32_t> extents() const { return extents_; }

 private:
  friend class TopologyBuilder;
  Topology() = default;

  std::vector<Vertex> vertices_;
  std::vector<Link> links_;
  std::vector<LinkId> first_link_;  // by vertex; one more at the end
  std::vector<VertexId> gpus_;
  std::vector<std::uint32_t> first_gpu_;    // by node, into node_gpus_; one more at the end
  std::vector<std::uint32_t> node_gpus_;    // by node
  std::vector<std::uint32_t> local_index_;  // by GPU
  std::vector<std::uint32_t> extents_;
  bool gpus_forward_ = false;
};

}  // namespace septet::network
