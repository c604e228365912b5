// Routes between GPUs.
//
// Routes are computed on demand, by bidirectional search, and the most recent are cached: a table
// of all pairs would have 268 million entries for 16,384 GPUs. All routes but those over NVLink
// have the fewest links; the policies differ in which of those they take:
//   shortest   always the same one, whose vertices were added first
//   ecmp       by a hash of source, destination and seed at each choice, as switches do
//              (C. Hopps, "Analysis of an Equal-Cost Multi-Path Algorithm", RFC 2992, 2000)
//   rail-aware ecmp; but where source and destination are on different rails, over NVLink to the
//              GPU of the source's node that is on the destination's rail, if that saves switches
//              of the network (NCCL 2.12's PXN); and where the way by a rail is cut, so that it
//              would lead through a CPU, over NVLink to a GPU whose rail is whole, and back at
//              the destination
// Only the direction of the requested route counts; the return path may differ.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <unordered_map>

#include "models/network/topology/path_search.hpp"
#include "models/network/topology/topology.hpp"

namespace septet::network {

enum class Routing : std::uint8_t { kShortest, kEcmp, kRailAware };

constexpr auto enum_table(std::type_identity<Routing>) {
  return enum_texts<Routing>("shortest", "ecmp", "rail-aware");
}

class Router {
 public:
  // `topology` must outlive the router. A router serves one thread.
  explicit Router(const Topology& topology, Routing routing = Routing::kRailAware,
                  std::uint64_t seed = 0);

  // From GPU to GPU; empty where they are the same. Throws ConfigError that names both where
  // failed links leave no path.
  Route route(std::uint32_t from_gpu, std::uint32_t to_gpu);
  // The same from any vertex to any other one, without the detour of rail-aware routing.
  Route between(VertexId from, VertexId to);

  const Topology& topology() const { return topology_; }

 private:
  std::optional<Route> search(VertexId from, VertexId to);
  Route find(std::uint32_t from_gpu, std::uint32_t to_gpu);
  // Nothing where such a route does not exist.
  std::optional<Route> over_nvlink(std::uint32_t from_gpu, std::uint32_t to_gpu);
  std::optional<Route> by_rail(std::uint32_t from_gpu, std::uint32_t to_gpu, std::uint32_t rail);
  std::optional<Route> around_cpus(std::uint32_t from_gpu, std::uint32_t to_gpu);
  Route over_rail(std::uint32_t from_gpu, std::uint32_t to_gpu, Route direct);

  const Topology& topology_;
  Routing routing_;
  std::uint64_t seed_;
  PathSearch search_;
  std::unordered_map<std::uint64_t, Route> cache_;
};

// The sum of the latencies, and the least rate, along a route.
Duration route_latency(const Topology& topology, const Route& route);
ByteRate route_rate(const Topology& topology, const Route& route);

}  // namespace septet::network
