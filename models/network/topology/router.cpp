#include "models/network/topology/router.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet {
namespace {

constexpr std::size_t kCachedRoutes = 65'536;
constexpr std::array<std::string_view, 3> kNames = {"shortest", "ecmp", "rail-aware"};

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

}  // namespace

Router::Router(const Topology& topology, Routing routing, std::uint64_t seed)
    : topology_(topology), routing_(routing), seed_(seed), search_(topology) {}

Route Router::between(VertexId from, VertexId to) {
  std::optional<std::uint64_t> hash;
  if (routing_ != Routing::kShortest) hash = pair_key(from, to) ^ seed_;
  std::optional<Route> route = search_.find(from, to, hash);
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
  const VertexId transit = topology_.gpu_vertex(neighbours[rail]);
  Route detour = between(topology_.gpu_vertex(from_gpu), transit);
  const bool by_nvlink = std::ranges::all_of(
      detour, [this](LinkId link) { return topology_.link(link).kind == CableKind::kNvLink; });
  if (!by_nvlink) return direct;
  const Route rest = between(transit, topology_.gpu_vertex(to_gpu));
  detour.insert(detour.end(), rest.begin(), rest.end());
  const bool saves = network_switches(topology_, detour) < network_switches(topology_, direct);
  return saves ? detour : direct;
}

Route Router::find(std::uint32_t from_gpu, std::uint32_t to_gpu) {
  Route direct = between(topology_.gpu_vertex(from_gpu), topology_.gpu_vertex(to_gpu));
  const bool inside = topology_.node_of(from_gpu) == topology_.node_of(to_gpu);
  if (inside || routing_ != Routing::kRailAware) return direct;
  return over_rail(from_gpu, to_gpu, std::move(direct));
}

Route Router::route(std::uint32_t from_gpu, std::uint32_t to_gpu) {
  SEPTET_ASSERT(from_gpu < topology_.gpu_count() && to_gpu < topology_.gpu_count());
  const std::uint64_t key = pair_key(from_gpu, to_gpu);
  if (const auto known = cache_.find(key); known != cache_.end()) return known->second;
  if (cache_.size() >= kCachedRoutes) cache_.clear();
  return cache_.emplace(key, find(from_gpu, to_gpu)).first->second;
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

std::string_view name_of(Routing routing) { return kNames[static_cast<std::size_t>(routing)]; }

std::optional<Routing> routing_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Routing>(found - kNames.begin());
}

}  // namespace septet
