#include "models/network/topology/router.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::network {
namespace {

constexpr std::size_t kCachedRoutes = 65'536;

std::uint64_t pair_key(std::uint32_t from, std::uint32_t to) {
  return (static_cast<std::uint64_t>(from) << 32U) | to;
}

bool is_switch_of_network(VertexKind kind) {
  return kind == VertexKind::kLeaf || kind == VertexKind::kSpine || kind == VertexKind::kRouter;
}

std::ptrdiff_t network_switches(const Topology& topology, const Route& route) {
  return std::ranges::count_if(route, [&](LinkId link) {
    return is_switch_of_network(topology.vertex(topology.link(link).to).kind);
  });
}

bool through_cpu(const Topology& topology, const Route& route) {
  return std::ranges::any_of(route, [&](LinkId link) {
    return topology.vertex(topology.link(link).to).kind == VertexKind::kCpu;
  });
}

}  // namespace

Router::Router(const Topology& topology, Routing routing, std::uint64_t seed)
    : topology_(topology), routing_(routing), seed_(seed), search_(topology) {}

std::optional<Route> Router::search(VertexId from, VertexId to) {
  std::optional<std::uint64_t> hash;
  if (routing_ != Routing::kShortest) hash = pair_key(from, to) ^ seed_;
  return search_.find(from, to, hash);
}

Route Router::between(VertexId from, VertexId to) {
  std::optional<Route> route = search(from, to);
  if (!route) {
    throw ConfigError::value({}, "network",
                             fmt::format("no path from {} to {}", topology_.vertex(from).name,
                                         topology_.vertex(to).name),
                             "a path of links that have not failed");
  }
  return *std::move(route);
}

// PXN. Its second half must cross the network by the rail alone, else nothing is gained.
Route Router::over_rail(std::uint32_t from_gpu, std::uint32_t to_gpu, Route direct) {
  const auto neighbours = topology_.node_gpus(topology_.node_of(from_gpu));
  const std::uint32_t rail = topology_.local_index(to_gpu);
  if (rail >= neighbours.size() || neighbours[rail] == from_gpu) return direct;
  std::optional<Route> detour = over_nvlink(from_gpu, neighbours[rail]);
  const auto rest = search(topology_.gpu_vertex(neighbours[rail]), topology_.gpu_vertex(to_gpu));
  if (!detour || !rest) return direct;
  detour->insert(detour->end(), rest->begin(), rest->end());
  const bool saves = network_switches(topology_, *detour) < network_switches(topology_, direct);
  return saves ? *detour : direct;
}

std::optional<Route> Router::over_nvlink(std::uint32_t from_gpu, std::uint32_t to_gpu) {
  if (from_gpu == to_gpu) return Route{};
  std::optional<Route> route = search(topology_.gpu_vertex(from_gpu), topology_.gpu_vertex(to_gpu));
  if (!route) return std::nullopt;
  const bool by_nvlink = std::ranges::all_of(
      *route, [this](LinkId link) { return topology_.link(link).kind == CableKind::kNvLink; });
  return by_nvlink ? route : std::nullopt;
}

// From GPU to GPU by a rail that may be that of neither, past the CPUs.
std::optional<Route> Router::by_rail(std::uint32_t from_gpu, std::uint32_t to_gpu,
                                     std::uint32_t rail) {
  const auto mine = topology_.node_gpus(topology_.node_of(from_gpu));
  const auto theirs = topology_.node_gpus(topology_.node_of(to_gpu));
  if (rail >= mine.size() || rail >= theirs.size()) return std::nullopt;
  std::optional<Route> route = over_nvlink(from_gpu, mine[rail]);
  if (!route) return std::nullopt;
  const auto network = search(topology_.gpu_vertex(mine[rail]), topology_.gpu_vertex(theirs[rail]));
  if (!network || through_cpu(topology_, *network)) return std::nullopt;
  const auto last = over_nvlink(theirs[rail], to_gpu);
  if (!last) return std::nullopt;
  route->insert(route->end(), network->begin(), network->end());
  route->insert(route->end(), last->begin(), last->end());
  return route;
}

// The destination's rail, as PXN, then the source's, then the others, in an order that spreads
// pairs of nodes over them.
std::optional<Route> Router::around_cpus(std::uint32_t from_gpu, std::uint32_t to_gpu) {
  const std::uint32_t from_node = topology_.node_of(from_gpu);
  const auto rails = static_cast<std::uint32_t>(topology_.node_gpus(from_node).size());
  const std::uint32_t own = topology_.local_index(from_gpu);
  std::optional<Route> route = by_rail(from_gpu, to_gpu, topology_.local_index(to_gpu));
  if (!route) route = by_rail(from_gpu, to_gpu, own);
  const std::uint32_t spread = own + 1 + from_node + topology_.node_of(to_gpu);
  for (std::uint32_t i = 0; i < rails && !route; ++i) {
    route = by_rail(from_gpu, to_gpu, (spread + i) % rails);
  }
  return route;
}

Route Router::find(std::uint32_t from_gpu, std::uint32_t to_gpu) {
  const VertexId from = topology_.gpu_vertex(from_gpu);
  const VertexId to = topology_.gpu_vertex(to_gpu);
  const bool inside = topology_.node_of(from_gpu) == topology_.node_of(to_gpu);
  if (inside || routing_ != Routing::kRailAware) return between(from, to);
  const std::optional<Route> direct = search(from, to);
  if (direct && !through_cpu(topology_, *direct)) return over_rail(from_gpu, to_gpu, *direct);
  if (auto route = around_cpus(from_gpu, to_gpu)) return *route;
  return between(from, to);
}

Route Router::route(std::uint32_t from_gpu, std::uint32_t to_gpu) {
  SEPTET_ASSERT(from_gpu < topology_.gpu_count() && to_gpu < topology_.gpu_count());
  const std::uint64_t key = pair_key(from_gpu, to_gpu);
  if (const auto known = cache_.find(key); known != cache_.end()) return known->second;
  if (cache_.size() >= kCachedRoutes) cache_.clear();
  return cache_[key] = find(from_gpu, to_gpu);
}

Duration route_latency(const Topology& topology, const Route& route) {
  Duration sum{};
  for (const LinkId link : route) sum += topology.link(link).latency;
  return sum;
}

ByteRate route_rate(const Topology& topology, const Route& route) {
  ByteRate least = ByteRate::max();
  for (const LinkId link : route) least = std::min(least, topology.link(link).rate);
  return least;
}

}  // namespace septet::network
