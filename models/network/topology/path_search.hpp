// A path of the fewest links between two vertices of a topology, by breadth-first search from both
// ends. In a fat tree the searches meet at the spines, after some hundred vertices.
//
// Failed links are not taken. No path leads through a GPU unless the topology says that GPUs
// forward.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "models/network/topology/topology.hpp"

namespace septet {

using Route = boost::container::small_vector<LinkId, 10>;  // links in the order of travel

class PathSearch {
 public:
  explicit PathSearch(const Topology& topology);

  // `hash` chooses among paths of equal length; nothing: the vertices that were added first.
  // No value where there is no path.
  std::optional<Route> find(VertexId from, VertexId to, std::optional<std::uint64_t> hash);

 private:
  // What one of the two searches has reached. Marks of earlier searches are told by their epoch.
  struct Side {
    std::vector<std::uint32_t> epoch;
    std::vector<std::uint32_t> depth;
    std::vector<VertexId> frontier;
    std::uint32_t level = 0;
  };

  void start(Side& side, VertexId vertex);
  bool reached(const Side& side, VertexId vertex) const { return side.epoch[vertex] == epoch_; }
  // One level further; adds to `meetings_` what the other side has reached as well.
  void expand(Side& side, const Side& other, bool forward);
  bool passable(VertexId vertex) const;
  LinkId step_back(const Side& side, VertexId vertex, bool forward);
  std::size_t choose(std::size_t count);

  const Topology& topology_;
  Side ahead_;   // from the source
  Side behind_;  // from the destination
  std::vector<VertexId> meetings_;
  std::vector<VertexId> next_;
  std::vector<LinkId> candidates_;
  std::optional<std::uint64_t> hash_;
  VertexId source_ = 0;
  VertexId destination_ = 0;
  std::uint32_t epoch_ = 0;
};

}  // namespace septet
