// Which algorithm a collective takes, and by which protocol.
//
// Inside a node as the communication library: it predicts latency + bytes / rate for each and takes
// the least, as NCCL does: its own latencies and rates, which are not those that the hardware then
// shows. Messages too small for all channels use fewer. Source of tables, formulas and thresholds:
// NCCL 2.28, src/graph/tuning.cc (ncclTopoTuneModel, ncclTopoGetAlgoTime) and src/enqueue.cc
// (topoGetAlgoInfo), for one node. Ignored: tuner plugins, registered buffers, PCIe.
//
// Over a topology the closed form of each candidate (topology_time.hpp), and the least of these.
#pragma once

#include <vector>

#include "models/network/collective/algorithms/algorithm.hpp"

namespace septet::network {

struct CollectiveChoice {
  program::CollectiveAlgorithm algorithm = program::CollectiveAlgorithm::kRing;
  program::CollectiveProtocol protocol = program::CollectiveProtocol::kSimple;
  std::uint32_t channels = 1;
};

// The library's choice inside a node. `switch_reduces`: the node's switch adds up this operation's
// type (NVLS); NCCL uses that with more than two GPUs. What the request fixes is kept. Throws
// ConfigError naming operation and ranks where nothing fits it.
CollectiveChoice choose_in_node(const CollectiveSpec& spec, bool switch_reduces,
                                const CollectiveRequest& request);

// What the library does with the request where all its GPUs lie in one node. `loads` stays empty:
// inside the node no link is shared by two GPUs. Throws ConfigError as check_group does, and where
// the library can't run the request as it says.
CollectivePlan plan_in_node(const CollectiveSpec& spec, bool switch_reduces,
                            const CollectiveRequest& request);

// What each candidate for the request takes over a topology, the fastest first; of equals in the
// order of the registry. `switches`: those that reduce in switches are among them. Throws as
// algorithm_plan does.
std::vector<CollectivePlan> plans_over_topology(Router& router, const SimpleProtocolSpec& costs,
                                                const CollectiveRequest& request, bool switches);

}  // namespace septet::network
