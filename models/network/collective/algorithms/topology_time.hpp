// The time of an algorithm over a topology on an idle network, in closed form: from the library's
// Simple parameters, the sequence of its steps and the total load of each link,
//   startup  = start + sum over steps (step + latency of the route) + fill of the pipeline
//   transfer = max over links (bytes / rate) / share of a link that the protocol reaches
// Steps: of a level of n ranks n - 1 for each of its phases; of a tree its depth, once up and once
// down; the fill is one chunk on each step of a tree. The phases of several levels are pipelined,
// so the largest load counts, not their sum.
#pragma once

#include <vector>

#include "models/network/collective/collective_spec.hpp"
#include "models/network/collective/schedule/algorithm_plan.hpp"

namespace septet::network {

CollectivePlan plan_over_topology(Router& router, const SimpleProtocolSpec& costs,
                                  const AlgorithmPlan& steps);

// The same of one message, from the request's first GPU to its second.
CollectivePlan message_over_topology(Router& router, const SimpleProtocolSpec& costs,
                                     const CollectiveRequest& request);

// The link loads of such a message.
std::vector<LinkLoad> message_loads(Router& router, const CollectiveRequest& request);

}  // namespace septet::network
