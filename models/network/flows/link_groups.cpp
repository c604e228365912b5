#include "models/network/flows/link_groups.hpp"

#include <map>
#include <tuple>

namespace septet::network {
namespace {

constexpr std::uint32_t kNoLink = UINT32_MAX;

}  // namespace

LinkGroups::LinkGroups(const CollectiveModel& network,
                       const std::vector<const CollectivePlan*>& plans)
    : group_of_(network.link_count(), 0), first_of_(1, kNoLink) {
  for (const CollectivePlan* plan : plans) split_by(*plan, network);
  for (std::uint32_t link = 0; link < group_of_.size(); ++link) {
    std::uint32_t& first = first_of_[group_of_[link]];
    if (first == kNoLink) first = link;
  }
}

// Links stay together that were in one group and get the same bytes now.
void LinkGroups::split_by(const CollectivePlan& plan, const CollectiveModel& network) {
  std::map<std::tuple<std::uint32_t, std::int64_t, double>, std::uint32_t> fresh;
  for (const LinkLoad& load : plan.loads) {
    std::uint32_t& group = group_of_[load.link];
    const double rate = group == 0 ? network.link_rate(load.link).count() : 0;
    const auto next = static_cast<std::uint32_t>(first_of_.size());
    const auto [entry, added] = fresh.try_emplace({group, load.bytes.count(), rate}, next);
    if (added) first_of_.push_back(kNoLink);
    group = entry->second;
  }
}

void LinkGroups::reduce(CollectivePlan& plan) const {
  std::erase_if(plan.loads,
                [&](const LinkLoad& load) { return first_of_[group_of_[load.link]] != load.link; });
}

std::vector<std::vector<std::uint32_t>> LinkGroups::all() const {
  std::vector<std::vector<std::uint32_t>> out;
  std::vector<std::uint32_t> place(first_of_.size(), kNoLink);
  for (std::uint32_t link = 0; link < group_of_.size(); ++link) {
    const std::uint32_t group = group_of_[link];
    if (group == 0) continue;
    if (first_of_[group] == link) {
      place[group] = static_cast<std::uint32_t>(out.size());
      out.emplace_back();
    }
    out[place[group]].push_back(link);
  }
  return out;
}

}  // namespace septet::network
