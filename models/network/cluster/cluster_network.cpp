#include "models/network/cluster/cluster_network.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/schedule/group.hpp"
#include "models/network/collective/terms.hpp"

namespace septet {
namespace {

// What the library may choose from, in the order in which it prefers equals.
std::vector<CollectiveAlgorithm> choices(const Topology& topology,
                                         const CollectiveRequest& request) {
  using enum CollectiveAlgorithm;
  if (request.algorithm != kAuto) return {request.algorithm};
  const bool levels = group_extents(topology, request.gpus).size() > 1;
  switch (request.op) {
    case CollectiveOp::kAllReduce:
      return levels ? std::vector{kHierarchical, kRing, kTree} : std::vector{kRing, kTree};
    case CollectiveOp::kAllGather:
    case CollectiveOp::kReduceScatter:
      return levels ? std::vector{kHierarchical, kRing} : std::vector{kRing};
    case CollectiveOp::kBroadcast:
      return {kRing, kTree};
    default:
      return {kAuto};
  }
}

// Of the link that is busy longest.
Duration busiest(const Topology& topology, const std::vector<LinkLoad>& loads) {
  Duration longest{};
  for (const LinkLoad& load : loads) {
    longest = std::max(longest, transfer_time(load.bytes, topology.link(load.link).rate));
  }
  return longest;
}

// The node that is the most edges below its root.
std::uint32_t deepest_of(const Forest& forest) {
  constexpr std::uint32_t kUnknown = UINT32_MAX;
  std::vector<std::uint32_t> depths(forest.nodes.size(), kUnknown);
  std::vector<std::uint32_t> way;
  std::uint32_t deepest = 0;
  for (std::uint32_t node = 0; node < depths.size(); ++node) {
    way.clear();
    std::uint32_t at = node;
    for (; at != kNoParent && depths[at] == kUnknown; at = forest.nodes[at].parent) {
      way.push_back(at);
    }
    std::uint32_t depth = at == kNoParent ? 0 : depths[at] + 1;
    for (auto below = way.rbegin(); below != way.rend(); ++below) depths[*below] = depth++;
    if (depths[node] > depths[deepest]) deepest = node;
  }
  return deepest;
}

bool by_simple(const CollectiveRequest& request) {
  return request.protocol == CollectiveProtocol::kAuto ||
         request.protocol == CollectiveProtocol::kSimple;
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

bool ClusterNetwork::in_one_node(const CollectiveRequest& request) const {
  const std::uint32_t node = topology_.node_of(request.gpus.front());
  return node != kNoNode && std::all_of(request.gpus.begin(), request.gpus.end(),
                                        [&](auto gpu) { return topology_.node_of(gpu) == node; });
}

Duration ClusterNetwork::step(std::uint32_t from_gpu, std::uint32_t to_gpu) const {
  return between_.simple.step + route_latency(topology_, router_.route(from_gpu, to_gpu));
}

// Of one line of a level: what a step takes on average, since data goes round all of its ranks.
Duration ClusterNetwork::mean_step(const Recipe& recipe, std::uint32_t level) const {
  const std::vector<std::uint32_t>& gpus = recipe.request.gpus;
  const std::uint32_t extent = recipe.extents[level];
  std::uint32_t stride = 1;  // from a rank to the next one of its line
  for (std::uint32_t lower = 0; lower < level; ++lower) stride *= recipe.extents[lower];
  Duration all{};
  for (std::uint32_t place = 0; place < extent; ++place) {
    all += step(gpus[place * stride], gpus[(place + 1) % extent * stride]);
  }
  return all / extent;
}

// Up the longest way of a tree and down it again, a chunk on each step.
Duration ClusterNetwork::tree_steps(const Recipe& recipe) const {
  const Forest& forest = recipe.forest;
  const std::uint32_t deepest = deepest_of(forest);
  Duration once{};
  for (std::uint32_t n = deepest; forest.nodes[n].parent != kNoParent; n = forest.nodes[n].parent) {
    const Endpoint& from = recipe.endpoints[forest.nodes[n].endpoint];
    const Endpoint& to = recipe.endpoints[forest.nodes[forest.nodes[n].parent].endpoint];
    const Route route = route_between(router_, from, to);
    const Bytes chunk = forest.bytes[forest.nodes[n].tree] / recipe.chunks;
    once += between_.simple.step + route_latency(topology_, route) +
            transfer_time(chunk, route_rate(topology_, route));
  }
  return forest.reduces && forest.broadcasts ? once + once : once;
}

Duration ClusterNetwork::steps_of(const Recipe& recipe) const {
  if (recipe.phases.empty()) return tree_steps(recipe);
  Duration all{};
  for (const CollectivePhase& phase : recipe.phases) {
    const std::uint32_t extent = recipe.extents[phase.level];
    if (extent < 2) continue;
    const bool at_once = phase.pattern == PhasePattern::kDirect;
    const std::int64_t steps = at_once ? 1 : phase_steps(phase, extent);
    all += mean_step(recipe, phase.level) * steps;
  }
  return all;
}

CollectivePlan ClusterNetwork::between_nodes(const CollectiveRequest& request) const {
  std::optional<CollectivePlan> best;
  for (const CollectiveAlgorithm algorithm : choices(topology_, request)) {
    CollectiveRequest tried = request;
    tried.algorithm = algorithm;
    const Recipe recipe = recipe_of(router_, tried);
    CollectivePlan plan;
    plan.algorithm = recipe.algorithm;
    plan.loads = link_loads(router_, recipe);
    plan.startup = between_.simple.start + steps_of(recipe);
    plan.transfer = moving(plan.loads);
    if (!best || plan.alone() < best->alone()) best = std::move(plan);
  }
  best->timing_method = std::string(text_of(best->algorithm)) + " between nodes, largest link load";
  return *best;
}

// The library's numbers are those of GPUs that reach each other through NVSwitches at its rate.
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
      plan_in_node(library_[request.gpus.front()], {switch_reduces(request)}, request);
  CollectiveRequest carried = request;
  carried.algorithm = plan.algorithm;
  plan.loads = point_to_point(request.op) ? pair_loads(request)
                                          : link_loads(router_, recipe_of(router_, carried));
  return plan;
}

std::vector<LinkLoad> ClusterNetwork::pair_loads(const CollectiveRequest& request) const {
  std::vector<LinkLoad> loads;
  for (const LinkId link : route_of_ranks(router_, request, 0, 1)) {
    loads.push_back({link, request.bytes});
  }
  return loads;
}

CollectivePlan ClusterNetwork::pair_between_nodes(const CollectiveRequest& request) const {
  CollectivePlan plan;
  plan.algorithm = CollectiveAlgorithm::kDirect;
  plan.loads = pair_loads(request);
  plan.startup = between_.simple.start + step(request.gpus[0], request.gpus[1]);
  plan.transfer = moving(plan.loads);
  plan.timing_method = "one message, slowest link";
  return plan;
}

Duration ClusterNetwork::moving(const std::vector<LinkLoad>& loads) const {
  return scale(busiest(topology_, loads), 1 / between_.simple.link_share);
}

CollectivePlan ClusterNetwork::plan(const CollectiveRequest& request) const {
  const std::lock_guard lock(mutex_);
  check_group(topology_, request);
  if (in_one_node(request) && library_knows(request)) return inside_node(request);
  if (!by_simple(request)) {
    throw ConfigError::value({}, group_text(request),
                             fmt::format("protocol {}", text_of(request.protocol)),
                             "auto or simple: no other is modelled between nodes, nor inside one "
                             "whose links are slower than the library's");
  }
  CollectivePlan plan =
      point_to_point(request.op) ? pair_between_nodes(request) : between_nodes(request);
  plan.protocol = CollectiveProtocol::kSimple;
  plan.channels = request.channels > 0 ? request.channels : library_[request.gpus.front()].channels;
  return plan;
}

}  // namespace septet
