#include "models/network/flows/link_meter.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace septet::network {
namespace {

constexpr double kSameRate = 1e-9;  // of each other

// The part of a load that fits into the transfer's time.
Bytes in_transfer(const CollectivePlan& plan, const LinkLoad& load, ByteRate rate) {
  const auto most = static_cast<std::int64_t>(std::ceil(rate.count() * to_seconds(plan.transfer)));
  return std::min(load.bytes, Bytes(most));
}

double rate_over(Bytes bytes, Duration time) {
  return static_cast<double>(bytes.count()) / to_seconds(time);
}

}  // namespace

std::vector<LinkInterval> LinkMeter::start(std::uint32_t transfer, const CollectivePlan& plan,
                                           Instant now,
                                           const std::vector<LinkSharing::Ending>& changed) {
  plans_[transfer] = &plan;
  for (const LinkLoad& load : plan.loads) {
    if (!watches(load)) continue;
    const ByteRate capacity = network_.link_rate(load.link);
    const Bytes bytes = in_transfer(plan, load, capacity);
    Link& link = links_[load.link];
    link.capacity = capacity.count();
    link.carried.push_back({transfer, bytes, rate_over(bytes, plan.transfer)});
  }
  return close({}, now, changed);  // the transfer itself is among the changed ones
}

std::vector<LinkInterval> LinkMeter::end(std::uint32_t transfer, Instant now,
                                         const std::vector<LinkSharing::Ending>& changed) {
  std::vector<std::uint32_t> links;
  for (const LinkLoad& load : plans_.at(transfer)->loads) {
    if (!watches(load)) continue;
    Link& link = links_.at(load.link);
    const auto found = std::ranges::find(link.carried, transfer, &Carried::transfer);
    SEPTET_ASSERT(found != link.carried.end());
    link.ended += found->bytes.count();
    link.carried.erase(found);
    links.push_back(load.link);
  }
  plans_.erase(transfer);
  return close(std::move(links), now, changed);
}

// Ends the intervals of `links` and of those on which a transfer has changed.
std::vector<LinkInterval> LinkMeter::close(std::vector<std::uint32_t> links, Instant now,
                                           const std::vector<LinkSharing::Ending>& changed) {
  for (const LinkSharing::Ending& one : changed) {
    for (const LinkLoad& load : plans_.at(one.transfer)->loads) {
      if (watches(load)) links.push_back(load.link);
    }
  }
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  std::vector<LinkInterval> out;
  for (const std::uint32_t number : links) close(number, now, out);
  return out;
}

void LinkMeter::close(std::uint32_t number, Instant now, std::vector<LinkInterval>& out) {
  Link& link = links_.at(number);
  double rate = 0;
  double under_way = 0;
  for (const Carried& one : link.carried) {
    rate += one.demand * sharing_.rate(one.transfer);
    under_way += static_cast<double>(one.bytes.count()) * sharing_.done(one.transfer, now);
  }
  if (std::abs(rate - link.rate) <= kSameRate * link.rate) return;  // the interval continues
  if (link.rate > 0 && now > link.since) {
    const std::int64_t carried =
        std::max<std::int64_t>(link.reported, link.ended + std::llround(under_way));
    out.push_back(
        {number, link.since, now, Bytes(carried - link.reported), link.rate / link.capacity});
    link.reported = carried;
  }
  link.rate = rate;
  link.since = now;
}

std::vector<LinkInterval> LinkMeter::start_up(const CollectivePlan& plan, Instant begin) const {
  std::vector<LinkInterval> out;
  for (const LinkLoad& load : plan.loads) {
    if (!watches(load)) continue;
    const ByteRate capacity = network_.link_rate(load.link);
    const Bytes bytes = load.bytes - in_transfer(plan, load, capacity);
    if (bytes == Bytes(0)) continue;
    const Duration time = std::max(plan.startup, Duration(1));
    const double utilization = rate_over(bytes, time) / capacity.count();
    out.push_back({load.link, begin, begin + time, bytes, utilization});
  }
  return out;
}

}  // namespace septet::network
