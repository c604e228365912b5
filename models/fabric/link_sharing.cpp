#include "models/fabric/link_sharing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/error.hpp"

namespace septet {
namespace {

constexpr double kFull = 1 - 1e-9;  // a link with less than this left over has nothing left

// A link while rates rise: what is not given away, and what those that still rise ask for.
struct Filling {
  double left = 0;
  double rising = 0;
};

}  // namespace

// Bytes per second that a transfer takes of a link's rate while nothing stretches it.
double LinkSharing::demand(const Transfer& transfer, const LinkLoad& load) const {
  const double seconds = to_seconds(transfer.plan->transfer);
  const double data = static_cast<double>(load.bytes.count()) / seconds;
  return std::min(data / transfer.share, network_.link_rate(load.link).count());
}

std::vector<LinkSharing::Ending> LinkSharing::start(std::uint32_t id, const CollectivePlan& plan,
                                                    Instant now) {
  SEPTET_ASSERT(plan.transfer > Duration(0));
  transfers_[id] = {&plan, static_cast<double>(plan.transfer.count()), 0, network_.link_share(plan),
                    now};
  for (const LinkLoad& load : plan.loads) on_link_[load.link].push_back(id);
  std::vector<std::uint32_t> group = met_by(plan.loads);
  if (group.empty()) group.push_back(id);  // it loads no link
  return share(std::move(group), now);
}

std::vector<LinkSharing::Ending> LinkSharing::end(std::uint32_t id, Instant now) {
  const CollectivePlan& plan = *transfers_.at(id).plan;
  for (const LinkLoad& load : plan.loads) {
    std::erase(on_link_.at(load.link), id);  // the list stays: the next transfer will want it
  }
  transfers_.erase(id);
  return share(met_by(plan.loads), now);
}

// All transfers that share a link with these loads, directly or through others.
std::vector<std::uint32_t> LinkSharing::met_by(std::span<const LinkLoad> loads) const {
  std::set<std::uint32_t> met;
  std::vector<std::uint32_t> open;
  const auto look = [&](std::span<const LinkLoad> links) {
    for (const LinkLoad& load : links) {
      const auto entry = on_link_.find(load.link);
      if (entry == on_link_.end()) continue;
      for (const std::uint32_t id : entry->second) {
        if (met.insert(id).second) open.push_back(id);
      }
    }
  };
  look(loads);
  while (!open.empty()) {
    const std::uint32_t id = open.back();
    open.pop_back();
    look(transfers_.at(id).plan->loads);
  }
  return {met.begin(), met.end()};
}

std::vector<LinkSharing::Ending> LinkSharing::share(std::vector<std::uint32_t> group, Instant now) {
  const std::vector<double> rates = fill(group);
  std::vector<Ending> out;
  for (std::size_t i = 0; i < group.size(); ++i) {
    Transfer& transfer = transfers_.at(group[i]);
    if (transfer.rate == rates[i]) continue;
    const auto elapsed = static_cast<double>((now - transfer.since).count());
    transfer.left = std::max(0.0, transfer.left - elapsed * transfer.rate);
    transfer.since = now;
    transfer.rate = rates[i];
    out.push_back({group[i], now + Duration(std::llround(transfer.left / transfer.rate))});
  }
  return out;
}

// The rates of transfers of which none meets one outside the group.
std::vector<double> LinkSharing::fill(const std::vector<std::uint32_t>& group) const {
  std::vector<double> rates(group.size(), 1);
  if (group.size() < 2) return rates;
  std::unordered_map<std::uint32_t, Filling> links;
  for (const std::uint32_t id : group) {
    const Transfer& transfer = transfers_.at(id);
    for (const LinkLoad& load : transfer.plan->loads) {
      links.try_emplace(load.link, Filling{network_.link_rate(load.link).count(), 0})
          .first->second.rising += demand(transfer, load);
    }
  }
  std::vector<bool> settled(group.size(), false);
  for (std::size_t left = group.size(); left > 0;) {
    double level = 1;
    for (const auto& [link, state] : links) {
      if (state.rising > 0) level = std::min(level, state.left / state.rising);
    }
    bool any = false;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const CollectivePlan& plan = *transfers_.at(group[i]).plan;
      const bool stops = std::any_of(plan.loads.begin(), plan.loads.end(), [&](const auto& load) {
        const Filling& state = links.at(load.link);
        return state.left * kFull <= state.rising * level;
      });
      if (settled[i] || (level < 1 && !stops)) continue;
      settled[i] = any = true;
      rates[i] = level;
      --left;
    }
    SEPTET_ASSERT(any);
    for (auto& [link, state] : links) state.rising = 0;
    for (auto& [link, state] : links) state.left = network_.link_rate(link).count();
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Transfer& transfer = transfers_.at(group[i]);
      for (const LinkLoad& load : transfer.plan->loads) {
        Filling& state = links.at(load.link);
        if (settled[i])
          state.left -= demand(transfer, load) * rates[i];
        else
          state.rising += demand(transfer, load);
      }
    }
  }
  return rates;
}

}  // namespace septet
