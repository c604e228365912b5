// Nodes taken out of a graph.
#pragma once

#include <vector>

#include "models/program/program.hpp"

namespace septet::whatif {

// `graph` without the nodes whose place in `removed` is true. What depended on such a node depends
// on what that node depended on.
program::Graph without_nodes(const program::Graph& graph, const std::vector<bool>& removed);

// Runs of nodes, each the only one that follows the node before it and following it alone, where
// `wanted` holds for all: [run][node]. Runs of one node are left out.
std::vector<std::vector<std::uint32_t>> chains(const program::Graph& graph,
                                               const std::vector<bool>& wanted);

}  // namespace septet::whatif
