#include "models/network/collective/algorithms/topology_time.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/network/collective/schedule/group.hpp"

namespace septet::network {
namespace {

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
    std::ranges::reverse(way);
    for (const std::uint32_t below : way) depths[below] = depth++;
    if (depths[node] > depths[deepest]) deepest = node;
  }
  return deepest;
}

class StepTimes {
 public:
  StepTimes(Router& router, Duration step) : router_(router), step_(step) {}

  Duration between(std::uint32_t from_gpu, std::uint32_t to_gpu) {
    return step_ + route_latency(router_.topology(), router_.route(from_gpu, to_gpu));
  }

  Duration of(const AlgorithmPlan& plan) {
    if (plan.phases.empty()) return of_trees(plan);
    Duration all{};
    for (const CollectivePhase& phase : plan.phases) {
      const std::uint32_t extent = plan.extents[phase.level];
      if (extent < 2) continue;
      const bool at_once = phase.pattern == PhasePattern::kDirect;
      const std::int64_t steps = at_once ? 1 : phase_steps(phase, extent);
      all += mean(plan, phase.level) * steps;
    }
    return all;
  }

 private:
  // Of one line of a level: what a step takes on average, since data goes round all of its ranks.
  Duration mean(const AlgorithmPlan& plan, std::uint32_t level) {
    const std::vector<std::uint32_t>& gpus = plan.request.gpus;
    const std::uint32_t extent = plan.extents[level];
    std::uint32_t stride = 1;  // from a rank to the next one of its line
    for (std::uint32_t lower = 0; lower < level; ++lower) stride *= plan.extents[lower];
    Duration all{};
    for (std::uint32_t place = 0; place < extent; ++place) {
      all += between(gpus[place * stride], gpus[(place + 1) % extent * stride]);
    }
    return all / extent;
  }

  // Up and down the longest path of a tree, one chunk per step.
  Duration of_trees(const AlgorithmPlan& plan) {
    const Topology& topology = router_.topology();
    const std::vector<TreeNode>& nodes = plan.forest.nodes;
    Duration once{};
    for (std::uint32_t n = deepest_of(plan.forest); nodes[n].parent != kNoParent;
         n = nodes[n].parent) {
      const Endpoint& from = plan.endpoints[nodes[n].endpoint];
      const Endpoint& to = plan.endpoints[nodes[nodes[n].parent].endpoint];
      const Route route = route_between(router_, from, to);
      const Bytes chunk = plan.forest.bytes[nodes[n].tree] / plan.chunks;
      once += step_ + route_latency(topology, route) +
              transfer_time(chunk, route_rate(topology, route));
    }
    return plan.forest.reduces && plan.forest.broadcasts ? once + once : once;
  }

  Router& router_;
  Duration step_;
};

// Of the link that is busy longest.
Duration moving(const Topology& topology, const SimpleProtocolSpec& costs,
                const std::vector<LinkLoad>& loads) {
  Duration longest{};
  for (const LinkLoad& load : loads) {
    longest = std::max(longest, transfer_time(load.bytes, topology.link(load.link).rate));
  }
  return scale(longest, 1 / costs.link_share);
}

}  // namespace

CollectivePlan plan_over_topology(Router& router, const SimpleProtocolSpec& costs,
                                  const AlgorithmPlan& steps) {
  CollectivePlan plan;
  plan.algorithm = steps.algorithm;
  plan.loads = link_loads(router, steps);
  plan.startup = costs.start + StepTimes(router, costs.step).of(steps);
  plan.transfer = moving(router.topology(), costs, plan.loads);
  plan.timing_method = fmt::format("{} between nodes, largest link load", text_of(plan.algorithm));
  return plan;
}

CollectivePlan message_over_topology(Router& router, const SimpleProtocolSpec& costs,
                                     const CollectiveRequest& request) {
  CollectivePlan plan;
  plan.algorithm = program::CollectiveAlgorithm::kDirect;
  plan.loads = message_loads(router, request);
  plan.startup =
      costs.start + StepTimes(router, costs.step).between(request.gpus[0], request.gpus[1]);
  plan.transfer = moving(router.topology(), costs, plan.loads);
  plan.timing_method = "one message, slowest link";
  return plan;
}

std::vector<LinkLoad> message_loads(Router& router, const CollectiveRequest& request) {
  std::vector<LinkLoad> loads;
  for (const LinkId link : route_of_ranks(router, request, 0, 1)) {
    loads.push_back({link, request.bytes});
  }
  return loads;
}

}  // namespace septet::network
