// Nodes taken out of a graph.
#pragma once

#include <vector>

#include "models/program/program.hpp"

namespace septet {

// `graph` without the nodes whose place in `removed` is true. What depended on such a node depends
// on what that node depended on.
Graph without_nodes(const Graph& graph, const std::vector<bool>& removed);

// Runs of nodes, each the only one that follows the node before it and following it alone, where
// `wanted` holds for all: [run][node]. Runs of one node are left out.
std::vector<std::vector<std::uint32_t>> chains(const Graph& graph, const std::vector<bool>& wanted);

}  // namespace septet
