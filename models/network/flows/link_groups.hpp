// Links with identical load: of equal rate, and loaded with the same bytes by each of a set of
// plans. One of them represents all, in link sharing and in traces, since the others behave
// identically at all times.
//
// Found by splitting: all links of a rate are alike until a plan loads some of them differently.
// Work and memory grow with the loads of all plans together.
#pragma once

#include <cstdint>
#include <vector>

#include "models/network/collective/collective_model.hpp"

namespace septet::network {

class LinkGroups {
 public:
  LinkGroups(const CollectiveModel& network, const std::vector<const CollectivePlan*>& plans);

  // Leaves of the loads of one of the plans those of the first link of each group.
  void reduce(CollectivePlan& plan) const;

  // The links of each group, ascending; groups by their first link. Without links that carry
  // nothing.
  std::vector<std::vector<std::uint32_t>> all() const;

 private:
  void split_by(const CollectivePlan& plan, const CollectiveModel& network);

  std::vector<std::uint32_t> group_of_;  // by link; 0: no plan loads it
  std::vector<std::uint32_t> first_of_;  // by group: its first link
};

}  // namespace septet::network
