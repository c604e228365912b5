// Which algorithm suits a collective on a network: for each that there is, latency of its steps and
// bytes over the rate of its busiest link (models/network/cluster), and the least is taken, as a
// library's tuner does. Start-up and protocols cost nothing, as in the run message by message.
#pragma once

#include <vector>

#include "models/network/collective/collective.hpp"
#include "models/network/topology/router.hpp"

namespace septet {

struct AlgorithmEstimate {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kAuto;
  Duration time{};
};

// The fastest first; of equals, levels before rings before trees before the switch. All-to-all goes
// direct, and a shift as ring, at whatever size: these alone, without a time. ConfigError where the
// group cannot work.
std::vector<AlgorithmEstimate> estimate_algorithms(const Topology& topology, Routing routing,
                                                   const CollectiveRequest& request);

}  // namespace septet
