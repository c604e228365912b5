// The group of a collective: its validity, and the placement of its ranks in the topology.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "models/network/collective/collective.hpp"
#include "models/network/topology/router.hpp"

namespace septet::network {

// Throws ConfigError that names operation and ranks, as check_group(request) does, or a GPU that
// does not exist.
void check_group(const Topology& topology, const CollectiveRequest& request);

// Extents of the group, nearest first, whose product is the number of ranks: those of the topology
// where the group is all its GPUs in their order; {per node, nodes} where the ranks of each node
// follow one another and are as many in each; else all ranks in one extent.
std::vector<std::uint32_t> group_extents(const Topology& topology,
                                         const std::vector<std::uint32_t>& gpus);

// What one rank's messages to another one take. Throws ConfigError naming operation, ranks and GPUs
// where failed links leave no path.
Route route_of_ranks(Router& router, const CollectiveRequest& request, std::uint32_t from,
                     std::uint32_t to);

// The error of a route, with operation and ranks.
[[noreturn]] void throw_pathless(const CollectiveRequest& request, std::uint32_t from,
                                 std::uint32_t to, const ConfigError& error);

}  // namespace septet::network
