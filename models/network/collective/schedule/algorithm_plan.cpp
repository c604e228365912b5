#include "models/network/collective/schedule/algorithm_plan.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "models/network/collective/schedule/group.hpp"
#include "models/network/collective/schedule/phase_schedule.hpp"
#include "models/network/collective/schedule/tree_schedule.hpp"

namespace septet::network {

void AlgorithmPlan::set_phases(std::vector<std::uint32_t> of_levels, PhasePattern pattern) {
  extents = std::move(of_levels);
  phases = phases_of(request.op, LevelPatterns(extents.size(), pattern));
}

Route route_of(Router& router, const AlgorithmPlan& plan, std::uint32_t from, std::uint32_t to) {
  try {
    return route_between(router, plan.endpoints[from], plan.endpoints[to]);
  } catch (const ConfigError& error) {
    throw_pathless(plan.request, from, to, error);
  }
}

std::uint64_t messages_at_once(const AlgorithmPlan& plan, const CollectivePhase& phase) {
  const bool ring = phase.pattern == PhasePattern::kRing;
  return std::uint64_t{plan.ranks()} * (ring ? 1 : phase_steps(phase, plan.extents[phase.level]));
}

std::uint64_t messages_at_once(const AlgorithmPlan& plan) {
  std::uint64_t most = 0;
  for (const CollectivePhase& phase : plan.phases) {
    most = std::max(most, messages_at_once(plan, phase));
  }
  return most;
}

std::unique_ptr<Schedule> make_schedule(const AlgorithmPlan& plan) {
  if (!plan.phases.empty()) {
    return std::make_unique<PhaseSchedule>(Levels(plan.extents), plan.phases, plan.request.bytes);
  }
  return std::make_unique<TreeSchedule>(plan.forest, plan.ranks(), plan.chunks);
}

}  // namespace septet::network
