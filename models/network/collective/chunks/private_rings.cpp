#include "models/network/collective/chunks/private_rings.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "models/network/collective/schedule/phase_schedule.hpp"

namespace septet::network {
namespace {

bool all_rings(const AlgorithmPlan& plan) {
  return !plan.phases.empty() && std::ranges::all_of(plan.phases, [](const CollectivePhase& phase) {
    return phase.pattern == PhasePattern::kRing;
  });
}

class Rings {
 public:
  Rings(Router& router, const AlgorithmPlan& plan)
      : topology_(router.topology()),
        plan_(plan),
        levels_(plan.extents),
        free_at_(topology_.link_count()) {
    for (std::uint32_t level = 0; level < levels_.count(); ++level) {
      for (std::uint32_t rank = 0; rank < levels_.ranks(); ++rank) {
        routes_.emplace_back();
        if (levels_.extent(level) == 1) continue;
        const std::uint32_t next = levels_.shifted(rank, level, 1);
        const Route route = route_of(router, plan, rank, next);
        routes_.back().assign(route.begin(), route.end());
      }
    }
  }

  bool links_are_private() const {
    constexpr std::uint32_t kNobody = UINT32_MAX;
    std::vector<std::uint32_t> sender(topology_.link_count(), kNobody);
    for (std::size_t i = 0; i < routes_.size(); ++i) {
      const auto rank = static_cast<std::uint32_t>(i % levels_.ranks());
      for (const LinkId link : routes_[i]) {
        if (sender[link] != kNobody && sender[link] != rank) return false;
        sender[link] = rank;
      }
    }
    return true;
  }

  // When each rank has finished, if it joins at the time given.
  void run(std::vector<Instant>& times) {
    for (const CollectivePhase& phase : plan_.phases) {
      const std::uint32_t steps = phase_steps(phase, levels_.extent(phase.level));
      lay_hops(phase);
      arrived_ = times;
      for (std::uint32_t step = 0; step < steps; ++step) run_step(phase, step, times);
      for (std::size_t rank = 0; rank < times.size(); ++rank) {
        times[rank] = std::max(times[rank], arrived_[rank]);
      }
      leave_hops(phase);
    }
  }

 private:
  // A link of a rank's route, with what a message of either size takes on it: shares of a block
  // differ by a byte at most. Side by side in memory, as millions of messages pass them.
  struct Hop {
    Duration larger;
    Duration smaller;
    Duration latency;
    Instant free_at;
  };

  void lay_hops(const CollectivePhase& phase) {
    hops_.clear();
    first_hop_.assign(1, 0);
    larger_.clear();
    for (std::uint32_t rank = 0; rank < levels_.ranks(); ++rank) {
      const ShareSizes sizes = ring_sizes(levels_, phase, plan_.request.bytes, rank);
      larger_.push_back(sizes.larger);
      for (const LinkId id : route(phase.level, rank)) {
        const Link& link = topology_.link(id);
        hops_.push_back({transfer_time(sizes.larger, link.rate),
                         transfer_time(sizes.smaller, link.rate), link.latency, free_at_[id]});
      }
      first_hop_.push_back(hops_.size());
    }
  }

  void leave_hops(const CollectivePhase& phase) {
    for (std::uint32_t rank = 0; rank < levels_.ranks(); ++rank) {
      const Hop* hop = hops_.data() + first_hop_[rank];
      for (const LinkId id : route(phase.level, rank)) free_at_[id] = hop++->free_at;
    }
  }

  void run_step(const CollectivePhase& phase, std::uint32_t step,
                const std::vector<Instant>& entered) {
    next_.resize(entered.size());
    for (std::uint32_t rank = 0; rank < entered.size(); ++rank) {
      const ChunkSend send = phase_send(levels_, phase, plan_.request.bytes, rank, step);
      const Instant ready = std::max(entered[rank], arrived_[rank]);
      next_[send.to] = transmit(rank, send.bytes == larger_[rank], ready);
    }
    arrived_.swap(next_);
  }

  // When the message has arrived whole; as ChunkRun::transmit, for a link's only sender.
  Instant transmit(std::uint32_t rank, bool larger, Instant head) {
    Instant tail = head;
    for (std::size_t i = first_hop_[rank]; i < first_hop_[rank + 1]; ++i) {
      Hop& hop = hops_[i];
      const Instant start = std::max(head, hop.free_at);
      hop.free_at = std::max(start + (larger ? hop.larger : hop.smaller), tail);
      head = start + hop.latency;
      tail = hop.free_at + hop.latency;
    }
    return tail;
  }

  const Route& route(std::uint32_t level, std::uint32_t rank) const {
    return routes_[static_cast<std::size_t>(level) * levels_.ranks() + rank];
  }

  const Topology& topology_;
  const AlgorithmPlan& plan_;
  Levels levels_;
  std::vector<Route> routes_;           // by level and rank
  std::vector<Instant> free_at_;        // by link, between phases
  std::vector<Hop> hops_;               // of the phase
  std::vector<std::size_t> first_hop_;  // by rank, into hops_; one more at the end
  std::vector<Bytes> larger_;           // by rank: message of the phase
  std::vector<Instant> arrived_;  // by rank: the last message; before the first: when it entered
  std::vector<Instant> next_;
};

}  // namespace

std::optional<AnalyticTime> private_ring_time(Router& router, const AlgorithmPlan& plan,
                                              const ChunkWork& work) {
  if (!all_rings(plan) || work.forwarding != Forwarding::kCutThrough) return std::nullopt;
  Rings rings(router, plan);
  if (!rings.links_are_private()) return std::nullopt;
  std::vector<Instant> times(plan.ranks());
  for (std::uint32_t repeat = 0; repeat < work.repeats; ++repeat) {
    for (std::size_t rank = 0; rank < work.compute.size(); ++rank) {
      times[rank] += work.compute[rank];
    }
    rings.run(times);
  }
  return AnalyticTime{.time = *std::ranges::max_element(times) - Instant{},
                      .above = {},
                      .method = std::string(text_of(plan.algorithm)) + ", private links"};
}

}  // namespace septet::network
