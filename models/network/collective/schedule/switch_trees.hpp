// Trees whose inner nodes are switches that add up what comes in and copy what goes out.
#pragma once

#include <cstdint>
#include <vector>

#include "models/network/collective/collective.hpp"
#include "models/network/collective/schedule/schedule.hpp"
#include "models/network/collective/schedule/trees.hpp"
#include "models/network/topology/router.hpp"

namespace septet {

// NVLS: every rank looks after an equal share. It fetches the sum of its share through the NVSwitch
// and stores the result through it into all GPUs, itself included; so each GPU sends n + 1 shares
// and receives as many (NVIDIA, "multimem" in the PTX ISA; NCCL 2.17's NVLS algorithm).
// All-reduce, reduce-scatter, all-gather. Appends the switch to `endpoints`, which are the ranks.
// Throws ConfigError where the ranks are not all at one NVSwitch or plain switch.
Forest nvls_trees(Router& router, const CollectiveRequest& request,
                  std::vector<Endpoint>& endpoints);

// SHARP (R. Graham et al., "Scalable Hierarchical Aggregation Protocol", COM-HPC 2016): for each
// rail a tree with its share of the data: the GPUs of a node hand it to that on the rail, these to
// the switches, up to one where all paths meet, and back. All-reduce only. `extents`: of the group;
// the first is the number of rails where there are two.
Forest sharp_trees(Router& router, const CollectiveRequest& request,
                   const std::vector<std::uint32_t>& extents, std::vector<Endpoint>& endpoints);

}  // namespace septet
