#include "tools/septet/bench/algorithm_choice.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "models/network/cluster/cluster_network.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet {
namespace {

using enum CollectiveAlgorithm;

// A library that costs nothing and knows no node by heart.
CollectiveSpec no_library() {
  CollectiveSpec library;
  library.link = ByteRate::max();
  return library;
}

bool switch_may_reduce(CollectiveOp op) {
  return op == CollectiveOp::kAllReduce || op == CollectiveOp::kAllGather ||
         op == CollectiveOp::kReduceScatter;
}

std::vector<CollectiveAlgorithm> candidates(CollectiveOp op, bool levels) {
  if (op == CollectiveOp::kAllToAll) return {kDirect};
  if (op == CollectiveOp::kSendReceive) return {kRing};
  if (op == CollectiveOp::kBroadcast) return {kRing, kTree};
  std::vector<CollectiveAlgorithm> out{kRing};
  if (levels) out.insert(out.begin(), kHierarchical);
  if (op == CollectiveOp::kAllReduce) out.push_back(kTree);
  return out;
}

bool at_one_nvswitch(const Topology& topology, const std::vector<std::uint32_t>& gpus) {
  const auto reaches = [&](std::uint32_t gpu, VertexId middle) {
    const auto [first, last] = topology.links_from(topology.gpu_vertex(gpu));
    for (LinkId link = first; link < last; ++link) {
      if (topology.link(link).to == middle && !topology.link(link).failed) return true;
    }
    return false;
  };
  const auto [first, last] = topology.links_from(topology.gpu_vertex(gpus.front()));
  for (LinkId link = first; link < last; ++link) {
    const VertexId middle = topology.link(link).to;
    if (topology.vertex(middle).kind != VertexKind::kNvSwitch) continue;
    return std::ranges::all_of(gpus, [&](std::uint32_t gpu) { return reaches(gpu, middle); });
  }
  return false;
}

}  // namespace

std::vector<AlgorithmEstimate> estimate_algorithms(const Topology& topology, Routing routing,
                                                   const CollectiveRequest& request) {
  check_group(topology, request);
  std::vector<CollectiveAlgorithm> names =
      candidates(request.op, group_extents(topology, request.gpus).size() > 1);
  if (switch_may_reduce(request.op) && at_one_nvswitch(topology, request.gpus)) {
    names.push_back(kNvls);
  }
  if (names.size() == 1) return {{names.front(), Duration(0)}};
  const ClusterNetwork network(topology, routing, no_library());
  std::vector<AlgorithmEstimate> out;
  for (const CollectiveAlgorithm name : names) {
    CollectiveRequest tried = request;
    tried.algorithm = name;
    out.push_back({name, network.plan(tried).alone()});
  }
  std::ranges::stable_sort(out, {}, &AlgorithmEstimate::time);
  return out;
}

}  // namespace septet
