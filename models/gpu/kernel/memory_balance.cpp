#include "models/gpu/kernel/memory_balance.hpp"

#include <algorithm>
#include <cmath>

namespace septet::gpu {
namespace {

enum Resource : std::uint8_t { kDram, kL2, kPort, kL1 };

// d use / d length, at that use.
double use_slope(double use, double power) {
  return std::pow(1.0 - use, power + 1.0) / (1.0 - use + power * use);
}

// How much faster the period grows than the wait for others: its own ports' queues shrink with it.
double own_slope(const BalancedLoad& load, double power) {
  double slope = 1;
  for (const Resource r : {kPort, kL1}) {
    const Queueing& q = load.queues[r];
    const double use = q.use / load.period;
    if (use <= 0 || q.each <= 0 || use >= 1) continue;
    slope += q.each * use * std::pow(1.0 - use, -power) / load.period *
             (1.0 + power * use / (1.0 - use));
  }
  return slope;
}

bool uses(const std::vector<BalancedLoad>& loads, Resource resource) {
  return std::any_of(loads.begin(), loads.end(), [resource](const BalancedLoad& load) {
    return load.queues[resource].use > 0;
  });
}

// A step below 0 goes most of the way there instead. Loads that feel no queue can ask for more than
// there is; its length then has no end.
double stepped(double length, double change) {
  constexpr double kKept = 0.1;
  constexpr double kLongest = 1e12;
  return length + change > 0 ? std::min(kLongest, length + change) : length * kKept;
}

}  // namespace

double MemoryBalance::Excess::size() const { return std::abs(use.dram) + std::abs(use.l2); }

// Takes away what a queue of that length stands for.
void MemoryBalance::subtract_own(double Pair::*which, const Pair& length, Excess& out,
                                 Pair& by) const {
  const double use = use_of_queue(length.*which, power_);
  out.use.*which -= use;
  by.*which -= use_slope(use, power_);
}

MemoryBalance::Excess MemoryBalance::excess(std::vector<BalancedLoad>& loads,
                                            const Pair& length) const {
  Excess out;
  for (BalancedLoad& load : loads) {
    const Queueing& dram = load.queues[kDram];
    const Queueing& l2 = load.queues[kL2];
    const double base = load.base + (dram.use > 0 ? dram.each * length.dram : 0.0) +
                        (l2.use > 0 ? l2.each * length.l2 : 0.0);
    load.period = period_with(base, std::span(load.queues).subspan(kPort), power_, load.period);
    const double falls = load.count / (load.period * load.period * own_slope(load, power_));
    out.use.dram += load.count * dram.use / load.period;
    out.use.l2 += load.count * l2.use / load.period;
    if (dram.use > 0) {
      out.by_dram.dram -= falls * dram.use * dram.each;
      out.by_dram.l2 -= falls * l2.use * dram.each;
    }
    if (l2.use > 0) {
      out.by_l2.dram -= falls * dram.use * l2.each;
      out.by_l2.l2 -= falls * l2.use * l2.each;
    }
  }
  subtract_own(&Pair::dram, length, out, out.by_dram);
  subtract_own(&Pair::l2, length, out, out.by_l2);
  return out;
}

void MemoryBalance::solve(std::vector<BalancedLoad>& loads) {
  constexpr int kMostSteps = 200;
  constexpr int kMostHalvings = 30;
  constexpr double kExact = 1e-12;
  constexpr double kFirst = 0.1;
  length_.dram = uses(loads, kDram) ? std::max(length_.dram, kFirst) : 0.0;
  length_.l2 = uses(loads, kL2) ? std::max(length_.l2, kFirst) : 0.0;
  Excess at = excess(loads, length_);
  for (int step = 0; step < kMostSteps && at.size() > kExact; ++step) {
    const double determinant = at.by_dram.dram * at.by_l2.l2 - at.by_l2.dram * at.by_dram.l2;
    bool nearer = false;
    Pair change{(at.by_l2.dram * at.use.l2 - at.by_l2.l2 * at.use.dram) / determinant,
                (at.by_dram.l2 * at.use.dram - at.by_dram.dram * at.use.l2) / determinant};
    for (int halving = 0; halving < kMostHalvings && !nearer; ++halving) {
      const Pair next{stepped(length_.dram, change.dram), stepped(length_.l2, change.l2)};
      const Excess there = excess(loads, next);
      nearer = there.size() < at.size();
      if (nearer) {
        length_ = next;
        at = there;
      }
      change = {0.5 * change.dram, 0.5 * change.l2};
    }
    if (!nearer) break;  // as near as rounding allows
  }
}

}  // namespace septet::gpu
