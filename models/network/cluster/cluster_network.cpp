#include "models/network/cluster/cluster_network.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/chooser.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/algorithms/topology_time.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet::network {
namespace {

bool by_simple(const CollectiveRequest& request) {
  return request.protocol == program::CollectiveProtocol::kAuto ||
         request.protocol == program::CollectiveProtocol::kSimple;
}

}  // namespace

ClusterNetwork::ClusterNetwork(Topology topology, Routing routing,
                               const ByRange<CollectiveSpec>& library)
    : topology_(std::move(topology)),
      library_(library),
      between_(library_.of_kind(0)),
      router_(topology_, routing) {}

std::uint32_t ClusterNetwork::node_of(std::uint32_t gpu) const {
  const std::uint32_t node = topology_.node_of(gpu);
  return node == kNoNode ? topology_.node_count() + gpu : node;
}

std::optional<LinkEnds> ClusterNetwork::link_ends(std::uint32_t link) const {
  const Link& one = topology_.link(link);
  return LinkEnds{topology_.vertex(one.from).name, topology_.vertex(one.to).name};
}

// The library's parameters apply to GPUs connected through NVSwitches at its rate.
bool ClusterNetwork::library_knows(const CollectiveRequest& request) const {
  const CollectiveSpec& library = library_[request.gpus.front()];
  const auto ranks = static_cast<std::uint32_t>(request.gpus.size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const Route route = route_of_ranks(router_, request, rank, (rank + 1) % ranks);
    const VertexId next = topology_.link(route.front()).to;
    if (topology_.vertex(next).kind != VertexKind::kNvSwitch) return false;
    if (route_rate(topology_, route) < library.link) return false;
  }
  return true;
}

bool ClusterNetwork::switch_reduces(const CollectiveRequest& request) const {
  const Route route = router_.route(request.gpus[0], request.gpus[1]);
  const bool nvswitch =
      topology_.vertex(topology_.link(route.front()).to).kind == VertexKind::kNvSwitch;
  return nvswitch && library_[request.gpus.front()].tuner.nvls_efficiency > 0;
}

CollectivePlan ClusterNetwork::inside_node(const CollectiveRequest& request) const {
  CollectivePlan plan =
      plan_in_node(library_[request.gpus.front()], switch_reduces(request), request);
  CollectiveRequest carried = request;
  carried.algorithm = plan.algorithm;
  plan.loads = point_to_point(request.op) ? message_loads(router_, request)
                                          : link_loads(router_, algorithm_plan(router_, carried));
  return plan;
}

CollectivePlan ClusterNetwork::plan(const CollectiveRequest& request) const {
  const std::lock_guard lock(mutex_);
  check_group(topology_, request);
  if (in_one_node(*this, request) && library_knows(request)) return inside_node(request);
  if (!by_simple(request)) {
    throw ConfigError::value({}, group_text(request),
                             fmt::format("protocol {}", text_of(request.protocol)),
                             "auto or simple: no other protocol is modelled between nodes, nor "
                             "inside a node whose links are slower than the library's");
  }
  const SimpleProtocolSpec& costs = between_.simple;
  CollectivePlan plan = point_to_point(request.op)
                            ? message_over_topology(router_, costs, request)
                            : plans_over_topology(router_, costs, request, false).front();
  plan.protocol = program::CollectiveProtocol::kSimple;
  plan.channels = request.channels > 0 ? request.channels : library_[request.gpus.front()].channels;
  return plan;
}

}  // namespace septet::network
