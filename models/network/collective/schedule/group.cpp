#include "models/network/collective/schedule/group.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace septet {
namespace {

void require(bool holds, const CollectiveRequest& request, const std::string& got,
             const std::string& wanted) {
  if (!holds) throw ConfigError::value({}, group_text(request), got, wanted);
}

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

std::string group_text(const CollectiveRequest& request) {
  return fmt::format("{} over {} ranks", text_of(request.op), request.gpus.size());
}

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
  const std::size_t ranks = request.gpus.size();
  require(ranks >= 2, request, fmt::format("a group of {}", ranks), "at least 2 ranks");
  require(request.bytes >= Bytes{}, request, fmt::format("{} bytes", request.bytes.count()),
          "a size of at least 0");
  require(!has_root(request.op) || request.peer < ranks, request,
          fmt::format("rank {} as the root", request.peer),
          fmt::format("one of the ranks 0 to {}", ranks - 1));
  std::unordered_map<std::uint32_t, std::size_t> rank_of;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::uint32_t gpu = request.gpus[rank];
    require(gpu < topology.gpu_count(), request, fmt::format("GPU {} at rank {}", gpu, rank),
            fmt::format("one of the GPUs 0 to {}", topology.gpu_count() - 1));
    const auto [other, is_new] = rank_of.emplace(gpu, rank);
    require(
        is_new, request,
        fmt::format("{} twice, at ranks {} and {}", topology.gpu_name(gpu), other->second, rank),
        "each GPU once");
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

}  // namespace septet
