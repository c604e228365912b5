// The structure of a Program's graphs as rows, so that a trace file has their edges: without them a
// reader could only infer dependencies from the times.
//
// Edges connect nodes that have rows in traces (kernels, copies and memsets), by their numbers in
// those rows; a node without a row passes its dependencies on. Graphs with equal edges share a
// shape: each launch of a recorded graph has its own Graph.
#pragma once

#include <cstdint>
#include <vector>

#include "models/program/program.hpp"
#include "models/records/graph_records.hpp"

namespace septet::graph {

struct GraphShapes {
  std::vector<records::GraphRecord> graphs;     // by graph; shapes count from 0
  std::vector<records::GraphEdgeRecord> edges;  // by shape
};

// Throws ConfigError if a graph has a cycle.
GraphShapes graph_shapes(const program::Program& program);

}  // namespace septet::graph
