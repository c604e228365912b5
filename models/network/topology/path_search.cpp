#include "models/network/topology/path_search.hpp"

#include <algorithm>

namespace septet {
namespace {

// The next of a chain of hashes: splitmix64's (Steele, Lea, Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014).
std::uint64_t next_hash(std::uint64_t hash) {
  hash += 0x9E3779B97F4A7C15ULL;
  hash = (hash ^ (hash >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBULL;
  return hash ^ (hash >> 31U);
}

}  // namespace

PathSearch::PathSearch(const Topology& topology) : topology_(topology) {
  for (Side* side : {&ahead_, &behind_}) {
    side->epoch.assign(topology.vertex_count(), 0);
    side->depth.assign(topology.vertex_count(), 0);
  }
}

void PathSearch::start(Side& side, VertexId vertex) {
  side.frontier.assign(1, vertex);
  side.level = 0;
  side.epoch[vertex] = epoch_;
  side.depth[vertex] = 0;
}

bool PathSearch::passable(VertexId vertex) const {
  return topology_.gpus_forward() || topology_.vertex(vertex).kind != VertexKind::kGpu ||
         vertex == source_ || vertex == destination_;
}

void PathSearch::expand(Side& side, const Side& other, bool forward) {
  next_.clear();
  ++side.level;
  for (const VertexId vertex : side.frontier) {
    if (!passable(vertex)) continue;
    const auto [first, last] = topology_.links_from(vertex);
    for (LinkId id = first; id < last; ++id) {
      const Link& link = topology_.link(id);
      const bool failed = forward ? link.failed : topology_.link(link.reverse).failed;
      if (failed || reached(side, link.to)) continue;
      side.epoch[link.to] = epoch_;
      side.depth[link.to] = side.level;
      next_.push_back(link.to);
      if (reached(other, link.to) && passable(link.to)) meetings_.push_back(link.to);
    }
  }
  side.frontier.swap(next_);
}

std::size_t PathSearch::choose(std::size_t count) {
  if (!hash_) return 0;
  hash_ = next_hash(*hash_);
  return static_cast<std::size_t>(*hash_ % count);
}

// The link by which `side` may have reached `vertex`, in the direction of travel.
LinkId PathSearch::step_back(const Side& side, VertexId vertex, bool forward) {
  candidates_.clear();
  const auto [first, last] = topology_.links_from(vertex);
  for (LinkId id = first; id < last; ++id) {
    const Link& link = topology_.link(id);
    const LinkId travelled = forward ? link.reverse : id;
    const bool one_nearer = reached(side, link.to) && side.depth[link.to] + 1 == side.depth[vertex];
    if (one_nearer && passable(link.to) && !topology_.link(travelled).failed) {
      candidates_.push_back(travelled);
    }
  }
  return candidates_[choose(candidates_.size())];
}

std::optional<Route> PathSearch::find(VertexId from, VertexId to,
                                      std::optional<std::uint64_t> hash) {
  if (from == to) return Route{};
  ++epoch_;
  hash_ = hash;
  source_ = from;
  destination_ = to;
  meetings_.clear();
  start(ahead_, from);
  start(behind_, to);
  while (meetings_.empty()) {
    if (ahead_.frontier.empty() || behind_.frontier.empty()) return std::nullopt;
    const bool forward = ahead_.frontier.size() <= behind_.frontier.size();
    expand(forward ? ahead_ : behind_, forward ? behind_ : ahead_, forward);
  }
  std::ranges::sort(meetings_);
  const VertexId meeting = meetings_[choose(meetings_.size())];
  Route route;
  for (VertexId at = meeting; at != from; at = topology_.link(route.back()).from) {
    route.push_back(step_back(ahead_, at, true));
  }
  std::ranges::reverse(route);
  for (VertexId at = meeting; at != to; at = topology_.link(route.back()).to) {
    route.push_back(step_back(behind_, at, false));
  }
  return route;
}

}  // namespace septet
