// Which algorithm and protocol a collective uses.
//
// Inside a node, as the communication library chooses: like NCCL, it estimates latency + bytes /
// rate for each and takes the smallest, with its own latencies and rates, which differ from the
// actual ones. Messages too small for all channels use fewer. Source of tables, formulas and
// thresholds: NCCL 2.28, src/graph/tuning.cc (ncclTopoTuneModel, ncclTopoGetAlgoTime) and
// src/enqueue.cc (topoGetAlgoInfo), for one node. Ignored: tuner plugins, registered buffers, PCIe.
//
// Over a topology, the smallest of the closed forms of all candidates (topology_time.hpp).
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
// type (NVLS); NCCL uses that with more than two GPUs. Values fixed by the request are kept. Throws
// ConfigError naming operation and ranks if nothing matches.
CollectiveChoice choose_in_node(const CollectiveSpec& spec, bool switch_reduces,
                                const CollectiveRequest& request);

// The library's plan if all GPUs of the request are in one node. `loads` stays empty: inside the
// node no link is shared by two GPUs. Throws ConfigError as check_group does, and where the library
// can't run the request as it says.
CollectivePlan plan_in_node(const CollectiveSpec& spec, bool switch_reduces,
                            const CollectiveRequest& request);

// The time of each candidate for the request over a topology, fastest first; ties in registry
// order. `switches`: include those that reduce in switches. Throws as algorithm_plan does.
std::vector<CollectivePlan> plans_over_topology(Router& router, const SimpleProtocolSpec& costs,
                                                const CollectiveRequest& request, bool switches);

}  // namespace septet::network
