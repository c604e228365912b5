// Plans collectives inside one node: choice of the tuner, time of the protocol.
#pragma once

#include "models/network/collective/collective.hpp"
#include "models/network/collective/collective_model.hpp"
#include "models/network/collective/collective_spec.hpp"

namespace septet {

// The node that a group lies in. Its GPUs reach each other at the full rate of their links.
struct NodeNetwork {
  bool switch_reduces = false;  // the switch reduces the type in question (NVLS)
};

// What the library does with the request where all its GPUs lie in one node. `loads` stays empty:
// inside the node no link is shared by two GPUs. Throws ModelError naming operation and GPUs where
// the group has less than two members or one twice and where the partner is no member, ConfigError
// where the library can't run the request as it says.
CollectivePlan plan_in_node(const CollectiveSpec& spec, const NodeNetwork& node,
                            const CollectiveRequest& request);

// What CollectiveModel::link_share() is for a library's plans. LL and LL128: what flags leave,
// since their channels are slower than links. Else what the plan's busiest link gets alone: links
// bound it, with whatever slices, copies and sums cost them, and two such plans have half of that
// each.
double library_link_share(const CollectiveModel& network, const CollectivePlan& plan);

}  // namespace septet
