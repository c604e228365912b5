#include "models/network/collective/chunks/symmetric.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "models/network/collective/schedule/phase_schedule.hpp"

namespace septet::network {
namespace {

// Rates and latencies along a route, in order.
bool same_links(const Topology& topology, const Route& a, const Route& b) {
  return std::ranges::equal(a, b, [&](LinkId x, LinkId y) {
    const Link& left = topology.link(x);
    const Link& right = topology.link(y);
    return left.rate == right.rate && left.latency == right.latency;
  });
}

// Looks at the routes of one phase.
class PhaseRoutes {
 public:
  PhaseRoutes(Router& router, const AlgorithmPlan& plan, const Levels& levels,
              const CollectivePhase& phase)
      : router_(router), plan_(plan), levels_(levels), phase_(phase) {}

  bool alike() const {
    const Route first = route(0, levels_.shifted(0, phase_.level, 1));
    return all([&](std::uint32_t, std::uint32_t, const Route& other) {
      return same_links(router_.topology(), first, other);
    });
  }

  bool disjoint() const {
    std::unordered_set<LinkId> used;
    return all([&](std::uint32_t, std::uint32_t, const Route& other) {
      return std::ranges::all_of(other, [&](LinkId link) { return used.insert(link).second; });
    });
  }

  // Up and down again: every link has one sender, or one receiver.
  bool over_one_switch() const {
    std::unordered_map<LinkId, Users> users;
    return all([&](std::uint32_t from, std::uint32_t to, const Route& other) {
      return std::ranges::all_of(other, [&](LinkId link) {
        const auto known = users.try_emplace(link, Users{from, to, true, true}).first;
        return known->second.add(from, to);
      });
    });
  }

  Route route(std::uint32_t from, std::uint32_t to) const {
    return route_of(router_, plan_, from, to);
  }

 private:
  struct Users {
    std::uint32_t from;
    std::uint32_t to;
    bool one_sender;
    bool one_receiver;

    bool add(std::uint32_t sender, std::uint32_t receiver) {
      one_sender = one_sender && sender == from;
      one_receiver = one_receiver && receiver == to;
      return one_sender || one_receiver;
    }
  };

  // Calls `holds(from, to, route)` for each route, and stops where one is false.
  template <class Predicate>
  bool all(Predicate holds) const {
    const bool ring = phase_.pattern == PhasePattern::kRing;
    const std::uint32_t most = ring ? 1 : levels_.extent(phase_.level) - 1;
    for (std::uint32_t rank = 0; rank < plan_.ranks(); ++rank) {
      for (std::uint32_t distance = 1; distance <= most; ++distance) {
        const std::uint32_t to = levels_.shifted(rank, phase_.level, distance);
        if (!holds(rank, to, route(rank, to))) return false;
      }
    }
    return true;
  }

  Router& router_;
  const AlgorithmPlan& plan_;
  const Levels& levels_;
  const CollectivePhase& phase_;
};

// The largest and the smallest message of a phase.
struct Sizes {
  Bytes largest;
  Bytes smallest;
};

Sizes message_sizes(const Levels& levels, const CollectivePhase& phase, Bytes bytes) {
  if (phase.part == PhasePart::kShift) return {bytes, bytes};
  const auto narrow = [&](Sizes sizes, std::uint32_t parts) {
    return Sizes{share_of(sizes.largest, parts, 0), share_of(sizes.smallest, parts, parts - 1)};
  };
  Sizes sizes{bytes, bytes};
  const std::uint32_t nearer = phase.part == PhasePart::kAllToAll ? 0 : phase.level;
  for (std::uint32_t level = 0; level < nearer; ++level) {
    sizes = narrow(sizes, levels.extent(level));
  }
  return narrow(sizes, levels.extent(phase.level));
}

Duration longest_transfer(const Topology& topology, const Route& route, Bytes bytes) {
  return transfer_time(bytes, route_rate(topology, route));
}

// Time of a phase with messages of a size, if it is symmetric.
std::optional<AnalyticTime> phase_time(Router& router, const AlgorithmPlan& plan,
                                       const Levels& levels, const CollectivePhase& phase) {
  const PhaseRoutes routes(router, plan, levels, phase);
  const Topology& topology = router.topology();
  if (levels.extent(phase.level) == 1) return AnalyticTime{};
  if (!routes.alike()) return std::nullopt;
  const bool ring = phase.pattern == PhasePattern::kRing;
  const bool disjoint = routes.disjoint();
  if (!disjoint && (ring || !routes.over_one_switch())) return std::nullopt;
  const std::int64_t steps = phase_steps(phase, levels.extent(phase.level));
  const Route route = routes.route(0, levels.shifted(0, phase.level, 1));
  const std::int64_t latencies = ring ? steps : 1;
  const std::int64_t transfers = ring || !disjoint ? steps : 1;
  const Sizes sizes = message_sizes(levels, phase, plan.request.bytes);
  const Duration longest = longest_transfer(topology, route, sizes.largest);
  const Duration shortest = longest_transfer(topology, route, sizes.smallest);
  return AnalyticTime{.time = route_latency(topology, route) * latencies + longest * transfers,
                      .above = (longest - shortest) * transfers,
                      .method = {}};
}

// One collective that all join at once.
std::optional<AnalyticTime> time_of_one(Router& router, const AlgorithmPlan& plan) {
  if (plan.phases.empty()) return std::nullopt;
  const Levels levels(plan.extents);
  AnalyticTime sum{.method = std::string(text_of(plan.algorithm)) + ", symmetric"};
  for (const CollectivePhase& phase : plan.phases) {
    const auto part = phase_time(router, plan, levels, phase);
    if (!part) return std::nullopt;
    sum.time += part->time;
    sum.above += part->above;
  }
  return sum;
}

}  // namespace

std::optional<AnalyticTime> symmetric_time(Router& router, const AlgorithmPlan& plan,
                                           const ChunkWork& work) {
  if (work.forwarding != Forwarding::kCutThrough) return std::nullopt;
  const bool alike = std::ranges::all_of(
      work.compute, [&](Duration compute) { return compute == work.compute.front(); });
  if (!alike) return std::nullopt;
  auto once = time_of_one(router, plan);
  if (!once) return std::nullopt;
  const std::int64_t repeats = work.repeats;
  if (!work.compute.empty()) once->time += work.compute.front();
  return AnalyticTime{
      .time = once->time * repeats, .above = once->above * repeats, .method = once->method};
}

}  // namespace septet::network
