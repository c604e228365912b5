// A shortest path between two vertices of a topology, by bidirectional breadth-first search. In a
// fat tree the searches meet at the spines, after some hundred vertices.
//
// What was reached from the last few sources is kept: paths from one GPU to all others, as messages
// from all to all want them, search the network from there once. Failed links are not taken. No
// path leads through a GPU unless the topology says that GPUs forward.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "models/network/topology/topology.hpp"

namespace septet::network {

using Route = boost::container::small_vector<LinkId, 10>;  // links in the order of travel

class PathSearch {
 public:
  explicit PathSearch(const Topology& topology);

  // `hash` chooses among paths of equal length; nothing: the vertices that were added first.
  // No value where there is no path.
  std::optional<Route> find(VertexId from, VertexId to, std::optional<std::uint64_t> hash);

 private:
  static constexpr std::uint32_t kFar = UINT32_MAX;
  static constexpr std::size_t kKeptSources = 16;  // more than the GPUs of a server
  using Links = boost::container::small_vector<LinkId, 4>;

  // All that has been reached from a source, nearest first.
  struct Forward {
    VertexId source = UINT32_MAX;
    std::vector<std::uint32_t> depth;            // by vertex; kFar: not reached yet
    std::vector<VertexId> reached;               // level by level
    std::vector<std::size_t> first;              // by level, into `reached`; one more at the end
    std::unordered_map<VertexId, Links> nearer;  // links that lead to a vertex from one level less
    std::size_t size(std::uint32_t level) const { return first[level + 1] - first[level]; }
  };
  // What a search back from the destination has reached.
  struct Backward {
    std::vector<std::uint32_t> depth;  // by vertex; kFar: not reached
    std::vector<VertexId> reached;
    std::size_t frontier = 0;  // where the last level begins in `reached`
    std::uint32_t level = 0;
    std::size_t size() const { return reached.size() - frontier; }
  };

  Forward& forward_from(VertexId source);
  void deepen(Forward& forward, std::uint32_t level) const;
  void start_backward();
  // One level further back; adds to `meetings_` what `forward` has reached up to `level` as well.
  void expand_backward(const Forward& forward, std::uint32_t level);
  void meet(Forward& forward);
  bool passable(VertexId vertex) const;
  const Links& links_nearer(Forward& forward, VertexId vertex) const;
  LinkId step_to_destination(VertexId vertex);
  std::size_t choose(std::size_t count);

  const Topology& topology_;
  std::vector<bool> blocks_;  // by vertex: no path leads through it
  std::array<Forward, kKeptSources> forward_;
  std::size_t oldest_ = 0;
  Backward backward_;
  std::vector<VertexId> meetings_;
  Links candidates_;
  std::optional<std::uint64_t> hash_;
  VertexId source_ = 0;
  VertexId destination_ = 0;
};

}  // namespace septet::network
