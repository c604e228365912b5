#include "models/network/topology/path_search.hpp"

#include <algorithm>

namespace septet::network {
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
  for (VertexId vertex = 0; vertex < topology.vertex_count(); ++vertex) {
    blocks_.push_back(!topology.gpus_forward() && topology.vertex(vertex).kind == VertexKind::kGpu);
  }
  backward_.depth.assign(topology.vertex_count(), kFar);
}

bool PathSearch::passable(VertexId vertex) const {
  return !blocks_[vertex] || vertex == source_ || vertex == destination_;
}

PathSearch::Forward& PathSearch::forward_from(VertexId source) {
  for (Forward& known : forward_) {
    if (known.source == source) return known;
  }
  Forward& fresh = forward_[oldest_];
  oldest_ = (oldest_ + 1) % forward_.size();
  if (fresh.depth.empty()) fresh.depth.assign(topology_.vertex_count(), kFar);
  for (const VertexId vertex : fresh.reached) fresh.depth[vertex] = kFar;
  fresh.source = source;
  fresh.depth[source] = 0;
  fresh.reached.assign(1, source);
  fresh.first = {0, 1};
  fresh.nearer.clear();
  return fresh;
}

void PathSearch::deepen(Forward& forward, std::uint32_t level) const {
  if (level + 1 < forward.first.size()) return;
  for (std::size_t i = forward.first[level - 1]; i < forward.first[level]; ++i) {
    const VertexId vertex = forward.reached[i];
    if (blocks_[vertex] && vertex != forward.source) continue;
    const auto [first, last] = topology_.links_from(vertex);
    for (LinkId id = first; id < last; ++id) {
      const Link& link = topology_.link(id);
      if (link.failed || forward.depth[link.to] != kFar) continue;
      forward.depth[link.to] = level;
      forward.reached.push_back(link.to);
    }
  }
  forward.first.push_back(forward.reached.size());
}

void PathSearch::start_backward() {
  for (const VertexId vertex : backward_.reached) backward_.depth[vertex] = kFar;
  backward_.reached.assign(1, destination_);
  backward_.depth[destination_] = 0;
  backward_.frontier = 0;
  backward_.level = 0;
}

void PathSearch::expand_backward(const Forward& forward, std::uint32_t level) {
  const std::size_t reached = backward_.reached.size();
  ++backward_.level;
  for (std::size_t i = backward_.frontier; i < reached; ++i) {
    const VertexId vertex = backward_.reached[i];
    if (!passable(vertex)) continue;
    const auto [first, last] = topology_.links_from(vertex);
    for (LinkId id = first; id < last; ++id) {
      const Link& link = topology_.link(id);
      if (backward_.depth[link.to] != kFar || topology_.link(link.reverse).failed) continue;
      backward_.depth[link.to] = backward_.level;
      backward_.reached.push_back(link.to);
      if (forward.depth[link.to] <= level && passable(link.to)) meetings_.push_back(link.to);
    }
  }
  backward_.frontier = reached;
}

// The smaller of the two frontiers advances until they meet.
void PathSearch::meet(Forward& forward) {
  start_backward();
  meetings_.clear();
  std::uint32_t level = 0;
  while (meetings_.empty()) {
    if (forward.size(level) == 0 || backward_.size() == 0) return;
    if (forward.size(level) > backward_.size()) {
      expand_backward(forward, level);
      continue;
    }
    deepen(forward, ++level);
    for (const VertexId vertex : backward_.reached) {
      if (forward.depth[vertex] == level && passable(vertex)) meetings_.push_back(vertex);
    }
  }
}

std::size_t PathSearch::choose(std::size_t count) {
  if (!hash_) return 0;
  hash_ = next_hash(*hash_);
  return static_cast<std::size_t>(*hash_ % count);
}

// The links by which a vertex may have been reached.
const PathSearch::Links& PathSearch::links_nearer(Forward& forward, VertexId vertex) const {
  const auto [known, fresh] = forward.nearer.try_emplace(vertex);
  if (!fresh) return known->second;
  const auto [first, last] = topology_.links_from(vertex);
  for (LinkId id = first; id < last; ++id) {
    const Link& link = topology_.link(id);
    const bool one_nearer =
        forward.depth[link.to] != kFar && forward.depth[link.to] + 1 == forward.depth[vertex];
    const bool through = !blocks_[link.to] || link.to == forward.source;
    if (one_nearer && through && !topology_.link(link.reverse).failed) {
      known->second.push_back(link.reverse);
    }
  }
  return known->second;
}

LinkId PathSearch::step_to_destination(VertexId vertex) {
  candidates_.clear();
  const auto [first, last] = topology_.links_from(vertex);
  for (LinkId id = first; id < last; ++id) {
    const Link& link = topology_.link(id);
    const bool one_nearer =
        backward_.depth[link.to] != kFar && backward_.depth[link.to] + 1 == backward_.depth[vertex];
    if (one_nearer && passable(link.to) && !link.failed) candidates_.push_back(id);
  }
  return candidates_[choose(candidates_.size())];
}

std::optional<Route> PathSearch::find(VertexId from, VertexId to,
                                      std::optional<std::uint64_t> hash) {
  if (from == to) return Route{};
  hash_ = hash;
  source_ = from;
  destination_ = to;
  Forward& forward = forward_from(from);
  meet(forward);
  if (meetings_.empty()) return std::nullopt;
  std::ranges::sort(meetings_);
  const VertexId meeting = meetings_[choose(meetings_.size())];
  Route route;
  for (VertexId at = meeting; at != from; at = topology_.link(route.back()).from) {
    const Links& links = links_nearer(forward, at);
    route.push_back(links[choose(links.size())]);
  }
  std::ranges::reverse(route);
  for (VertexId at = meeting; at != to; at = topology_.link(route.back()).to) {
    route.push_back(step_to_destination(at));
  }
  return route;
}

}  // namespace septet::network
