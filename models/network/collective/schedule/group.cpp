#include "models/network/collective/schedule/group.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace septet::network {
namespace {

bool is_whole_topology(const Topology& topology, const std::vector<std::uint32_t>& gpus) {
  if (gpus.size() != topology.gpu_count()) return false;
  for (std::uint32_t rank = 0; rank < gpus.size(); ++rank) {
    if (gpus[rank] != rank) return false;
  }
  return true;
}

// How many ranks each node has, if equally many follow one another in each; else 0.
std::uint32_t ranks_per_node(const Topology& topology, const std::vector<std::uint32_t>& gpus) {
  const auto node = [&](std::size_t rank) { return topology.node_of(gpus[rank]); };
  std::uint32_t run = 0;
  while (run < gpus.size() && node(run) == node(0)) ++run;
  if (gpus.size() % run != 0) return 0;
  std::vector<std::uint32_t> nodes;
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    if (node(rank) != node(rank - rank % run)) return 0;
    if (rank % run == 0) nodes.push_back(node(rank));
  }
  std::ranges::sort(nodes);
  return std::ranges::adjacent_find(nodes) == nodes.end() ? run : 0;
}

}  // namespace

void throw_pathless(const CollectiveRequest& request, std::uint32_t from, std::uint32_t to,
                    const ConfigError& error) {
  throw ConfigError(error.where(), fmt::format("{}, from rank {} to rank {}: {}",
                                               group_text(request), from, to, error.what()));
}

Route route_of_ranks(Router& router, const CollectiveRequest& request, std::uint32_t from,
                     std::uint32_t to) {
  try {
    return router.route(request.gpus[from], request.gpus[to]);
  } catch (const ConfigError& error) {
    throw_pathless(request, from, to, error);
  }
}

void check_group(const Topology& topology, const CollectiveRequest& request) {
  check_group(request);
  for (std::size_t rank = 0; rank < request.gpus.size(); ++rank) {
    if (request.gpus[rank] < topology.gpu_count()) continue;
    throw ConfigError::value({}, group_text(request),
                             fmt::format("GPU {} at rank {}", request.gpus[rank], rank),
                             fmt::format("one of the GPUs 0 to {}", topology.gpu_count() - 1));
  }
}

std::vector<std::uint32_t> group_extents(const Topology& topology,
                                         const std::vector<std::uint32_t>& gpus) {
  const auto extents = topology.extents();
  if (is_whole_topology(topology, gpus)) return {extents.begin(), extents.end()};
  const auto ranks = static_cast<std::uint32_t>(gpus.size());
  const std::uint32_t run = ranks_per_node(topology, gpus);
  if (run <= 1 || run == ranks) return {ranks};
  return {run, ranks / run};
}

}  // namespace septet::network
