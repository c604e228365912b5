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
  for (VertexId vertex = 0; vertex < topology.vertex_count(); ++vertex) {
    blocks_.push_back(!topology.gpus_forward() && topology.vertex(vertex).kind == VertexKind::kGpu);
  }
  behind_.depth.assign(topology.vertex_count(), kFar);
}

bool PathSearch::passable(VertexId vertex) const {
  return !blocks_[vertex] || vertex == source_ || vertex == destination_;
}

PathSearch::Ahead& PathSearch::ahead_of(VertexId source) {
  for (Ahead& known : ahead_) {
    if (known.source == source) return known;
  }
  Ahead& fresh = ahead_[oldest_];
  oldest_ = (oldest_ + 1) % ahead_.size();
  if (fresh.depth.empty()) fresh.depth.assign(topology_.vertex_count(), kFar);
  for (const VertexId vertex : fresh.reached) fresh.depth[vertex] = kFar;
  fresh.source = source;
  fresh.depth[source] = 0;
  fresh.reached.assign(1, source);
  fresh.first = {0, 1};
  fresh.nearer.clear();
  return fresh;
}

void PathSearch::deepen(Ahead& ahead, std::uint32_t level) const {
  if (level + 1 < ahead.first.size()) return;
  for (std::size_t i = ahead.first[level - 1]; i < ahead.first[level]; ++i) {
    const VertexId vertex = ahead.reached[i];
    if (blocks_[vertex] && vertex != ahead.source) continue;
    const auto [first, last] = topology_.links_from(vertex);
    for (LinkId id = first; id < last; ++id) {
      const Link& link = topology_.link(id);
      if (link.failed || ahead.depth[link.to] != kFar) continue;
      ahead.depth[link.to] = level;
      ahead.reached.push_back(link.to);
    }
  }
  ahead.first.push_back(ahead.reached.size());
}

void PathSearch::start_behind() {
  for (const VertexId vertex : behind_.reached) behind_.depth[vertex] = kFar;
  behind_.reached.assign(1, destination_);
  behind_.depth[destination_] = 0;
  behind_.frontier = 0;
  behind_.level = 0;
}

void PathSearch::expand_behind(const Ahead& ahead, std::uint32_t level) {
  const std::size_t reached = behind_.reached.size();
  ++behind_.level;
  for (std::size_t i = behind_.frontier; i < reached; ++i) {
    const VertexId vertex = behind_.reached[i];
    if (!passable(vertex)) continue;
    const auto [first, last] = topology_.links_from(vertex);
    for (LinkId id = first; id < last; ++id) {
      const Link& link = topology_.link(id);
      if (behind_.depth[link.to] != kFar || topology_.link(link.reverse).failed) continue;
      behind_.depth[link.to] = behind_.level;
      behind_.reached.push_back(link.to);
      if (ahead.depth[link.to] <= level && passable(link.to)) meetings_.push_back(link.to);
    }
  }
  behind_.frontier = reached;
}

// The smaller of both ends goes on until they meet.
void PathSearch::meet(Ahead& ahead) {
  start_behind();
  meetings_.clear();
  std::uint32_t level = 0;
  while (meetings_.empty()) {
    if (ahead.size(level) == 0 || behind_.size() == 0) return;
    if (ahead.size(level) > behind_.size()) {
      expand_behind(ahead, level);
      continue;
    }
    deepen(ahead, ++level);
    for (const VertexId vertex : behind_.reached) {
      if (ahead.depth[vertex] == level && passable(vertex)) meetings_.push_back(vertex);
    }
  }
}

std::size_t PathSearch::choose(std::size_t count) {
  if (!hash_) return 0;
  hash_ = next_hash(*hash_);
  return static_cast<std::size_t>(*hash_ % count);
}

// The links by which a vertex may have been reached.
const PathSearch::Links& PathSearch::links_nearer(Ahead& ahead, VertexId vertex) const {
  const auto [known, fresh] = ahead.nearer.try_emplace(vertex);
  if (!fresh) return known->second;
  const auto [first, last] = topology_.links_from(vertex);
  for (LinkId id = first; id < last; ++id) {
    const Link& link = topology_.link(id);
    const bool one_nearer =
        ahead.depth[link.to] != kFar && ahead.depth[link.to] + 1 == ahead.depth[vertex];
    const bool through = !blocks_[link.to] || link.to == ahead.source;
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
        behind_.depth[link.to] != kFar && behind_.depth[link.to] + 1 == behind_.depth[vertex];
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
  Ahead& ahead = ahead_of(from);
  meet(ahead);
  if (meetings_.empty()) return std::nullopt;
  std::ranges::sort(meetings_);
  const VertexId meeting = meetings_[choose(meetings_.size())];
  Route route;
  for (VertexId at = meeting; at != from; at = topology_.link(route.back()).from) {
    const Links& links = links_nearer(ahead, at);
    route.push_back(links[choose(links.size())]);
  }
  std::ranges::reverse(route);
  for (VertexId at = meeting; at != to; at = topology_.link(route.back()).to) {
    route.push_back(step_to_destination(at));
  }
  return route;
}

}  // namespace septet
