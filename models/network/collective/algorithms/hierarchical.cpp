// Hierarchical: inside the nearest level, then between its parts, level by level, and back. Each
// rank reduces an increasingly small share: a group with the extents {8, 512} does a reduce-scatter
// among 8, an all-reduce of an eighth among 512, an all-gather among 8 (as BlueConnect: M. Cho et
// al., MLSys 2019). An all-to-all is one among each level. The library has no such algorithm in a
// node.
#include <algorithm>
#include <string>
#include <utility>

#include "models/network/collective/algorithms/algorithm.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet::network {
namespace {

using enum program::CollectiveOp;

bool has_levels(const Topology& topology, const CollectiveRequest& request) {
  return group_extents(topology, request.gpus).size() > 1;
}

// What a group without suitable levels lacks.
std::string wanted_for_levels(const Topology& topology, std::vector<std::uint32_t> gpus) {
  std::ranges::sort(gpus, {}, [&](auto gpu) { return std::pair(topology.node_of(gpu), gpu); });
  const bool in_order = group_extents(topology, gpus).size() > 1;
  return in_order ? "ranks ordered by node" : "several nodes with equally many ranks in each";
}

void lay_out(Router& router, AlgorithmPlan& plan) {
  const Topology& topology = router.topology();
  const CollectiveRequest& request = plan.request;
  if (!has_levels(topology, request)) {
    throw ConfigError::value({}, group_text(request), "algorithm hierarchical",
                             wanted_for_levels(topology, request.gpus));
  }
  plan.set_phases(group_extents(topology, request.gpus),
                  request.op == kAllToAll ? PhasePattern::kDirect : PhasePattern::kRing);
}

}  // namespace

constinit const Algorithm kHierarchicalAlgorithm = {
    .name = program::CollectiveAlgorithm::kHierarchical,
    .ops = {kAllReduce, kAllGather, kReduceScatter, kAllToAll},
    .candidate_for = {kAllReduce, kAllGather, kReduceScatter},
    .suits = has_levels,
    .lay_out = lay_out};

}  // namespace septet::network
