// The load of a collective on each link, without running it.
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/schedule/algorithm_plan.hpp"
#include "models/network/collective/schedule/group.hpp"
#include "models/network/collective/schedule/phase_schedule.hpp"

namespace septet::network {
namespace {

class Loads {
 public:
  Loads(Router& router, const AlgorithmPlan& plan)
      : router_(router), plan_(plan), by_link_(router.topology().link_count()) {}

  void add(std::uint32_t from, std::uint32_t to, Bytes bytes) {
    for (const LinkId link : route_of(router_, plan_, from, to)) by_link_[link] += bytes;
  }

  std::vector<LinkLoad> all() const {
    std::vector<LinkLoad> out;
    for (LinkId link = 0; link < by_link_.size(); ++link) {
      if (by_link_[link] > Bytes{}) out.push_back({.link = link, .bytes = by_link_[link]});
    }
    return out;
  }

 private:
  Router& router_;
  const AlgorithmPlan& plan_;
  std::vector<Bytes> by_link_;
};

// All of a ring's messages of one rank go to the same other one.
void add_phase(Loads& loads, const AlgorithmPlan& plan, const Levels& levels,
               const CollectivePhase& phase, std::uint32_t rank) {
  if (phase.pattern == PhasePattern::kRing) {
    if (levels.extent(phase.level) == 1) return;
    const ChunkSend all = ring_send(levels, phase, plan.request.bytes, rank);
    return loads.add(all.from, all.to, all.bytes);
  }
  const std::uint32_t steps = phase_steps(phase, levels.extent(phase.level));
  for (std::uint32_t step = 0; step < steps; ++step) {
    const ChunkSend send = phase_send(levels, phase, plan.request.bytes, rank, step);
    loads.add(send.from, send.to, send.bytes);
  }
}

void check_routes(const AlgorithmPlan& plan) {
  std::uint64_t routes = 0;
  for (const CollectivePhase& phase : plan.phases) routes += messages_at_once(plan, phase);
  if (routes <= kMostRoutes) return;
  throw ConfigError::value(
      {}, group_text(plan.request), fmt::format("{} messages, each to a different rank", routes),
      fmt::format("at most {}: fewer ranks, or another algorithm", kMostRoutes));
}

void add_trees(Loads& loads, const Forest& forest) {
  for (const TreeNode& node : forest.nodes) {
    if (node.parent == kNoParent) continue;
    const std::uint32_t above = forest.nodes[node.parent].endpoint;
    if (forest.reduces) loads.add(node.endpoint, above, forest.bytes[node.tree]);
    if (forest.broadcasts) loads.add(above, node.endpoint, forest.bytes[node.tree]);
  }
}

}  // namespace

std::vector<LinkLoad> link_loads(Router& router, const AlgorithmPlan& plan) {
  check_routes(plan);
  Loads loads(router, plan);
  add_trees(loads, plan.forest);
  if (!plan.phases.empty()) {
    const Levels levels(plan.extents);
    for (const CollectivePhase& phase : plan.phases) {
      for (std::uint32_t rank = 0; rank < plan.ranks(); ++rank) {
        add_phase(loads, plan, levels, phase, rank);
      }
    }
  }
  return loads.all();
}

}  // namespace septet::network
