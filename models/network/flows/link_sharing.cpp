#include "models/network/flows/link_sharing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"

namespace septet::network {
namespace {

// Bytes per second that a transfer takes of a link's rate while nothing stretches it. `share`: of
// that rate its data can have.
double demand(const CollectivePlan& plan, const LinkLoad& load, double share, double rate) {
  const double data = static_cast<double>(load.bytes.count()) / to_seconds(plan.transfer);
  return std::min(data / share, rate);
}

}  // namespace

double LinkSharing::Transfer::left_at(Instant now) const {
  return std::max(0.0, left - static_cast<double>((now - since).count()) * rate);
}

double LinkSharing::done(std::uint32_t id, Instant now) const {
  const Transfer& transfer = transfers_.at(id);
  return 1 - transfer.left_at(now) / static_cast<double>(transfer.plan->transfer.count());
}

LinkSharing::Link& LinkSharing::link(std::uint32_t number) {
  const auto [entry, fresh] = links_.try_emplace(number);
  if (fresh) entry->second.capacity = network_.link_rate(number).count();
  return entry->second;
}

std::vector<LinkSharing::Ending> LinkSharing::start(std::uint32_t id, const CollectivePlan& plan,
                                                    Instant now) {
  SEPTET_ASSERT(plan.transfer > Duration(0));
  Transfer& transfer = transfers_[id];
  transfer = {.plan = &plan,
              .left = static_cast<double>(plan.transfer.count()),
              .share = network_.link_share(plan),
              .since = now};
  for (const LinkLoad& load : plan.loads) {
    transfer.links.push_back(&link(load.link));
    transfer.links.back()->transfers.push_back(id);
  }
  if (plan.loads.empty()) return share({id}, now);
  return share(met_by(transfer.links), now);
}

std::vector<LinkSharing::Ending> LinkSharing::end(std::uint32_t id, Instant now) {
  const std::vector<Link*> links = std::move(transfers_.at(id).links);
  for (Link* one : links) std::erase(one->transfers, id);  // the next transfer will want the link
  transfers_.erase(id);
  return share(met_by(links), now);
}

// All transfers that share a link with these, directly or through others.
std::vector<std::uint32_t> LinkSharing::met_by(std::span<Link* const> links) {
  ++mark_;
  std::vector<std::uint32_t> met;
  const auto look = [&](std::span<Link* const> some) {
    for (Link* one : some) {
      if (std::exchange(one->mark, mark_) == mark_) continue;
      for (const std::uint32_t id : one->transfers) {
        if (std::exchange(transfers_.at(id).mark, mark_) != mark_) met.push_back(id);
      }
    }
  };
  look(links);
  // `look` appends to `met`.
  for (std::size_t next = 0; next < met.size();) look(transfers_.at(met[next++]).links);
  std::ranges::sort(met);
  return met;
}

std::vector<LinkSharing::Ending> LinkSharing::share(const std::vector<std::uint32_t>& group,
                                                    Instant now) {
  const std::vector<double> rates = rates_of(group);
  std::vector<Ending> out;
  for (std::size_t i = 0; i < group.size(); ++i) {
    Transfer& transfer = transfers_.at(group[i]);
    if (transfer.rate == rates[i]) continue;
    transfer.left = transfer.left_at(now);
    transfer.since = now;
    transfer.rate = rates[i];
    out.push_back({group[i], now + from_picoseconds(transfer.left / transfer.rate)});
  }
  return out;
}

// The rates of transfers of which none meets one outside the group.
std::vector<double> LinkSharing::rates_of(const std::vector<std::uint32_t>& group) {
  if (group.size() < 2) return std::vector<double>(group.size(), 1.0);
  problem_.flows.clear();
  problem_.uses.clear();
  problem_.capacities.clear();
  ++mark_;
  for (const std::uint32_t id : group) add_to_problem(transfers_.at(id));
  return max_min_rates(problem_);
}

void LinkSharing::add_to_problem(const Transfer& transfer) {
  const std::vector<LinkLoad>& loads = transfer.plan->loads;
  problem_.flows.push_back({.first_use = static_cast<std::uint32_t>(problem_.uses.size()),
                            .use_count = static_cast<std::uint32_t>(loads.size()),
                            .cap = 1});
  for (std::size_t i = 0; i < loads.size(); ++i) {
    Link& one = *transfer.links[i];
    if (std::exchange(one.mark, mark_) != mark_) {
      one.place = static_cast<std::uint32_t>(problem_.capacities.size());
      problem_.capacities.push_back(one.capacity);
    }
    const double asked = demand(*transfer.plan, loads[i], transfer.share, one.capacity);
    problem_.uses.push_back({one.place, asked});
  }
}

}  // namespace septet::network
