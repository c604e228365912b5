// The structure of a Program's graphs as rows, so that a trace file can say which nodes follow
// which: without it a reader could only guess from the times.
//
// Edges join nodes that have rows in traces (kernels, copies and memsets), by their numbers in
// those rows; a node without a row hands on what it follows. Graphs with equal edges share a shape:
// launches of one recorded graph have a Graph each.
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

// Throws ConfigError where a graph's nodes depend on one another in a circle.
GraphShapes graph_shapes(const program::Program& program);

}  // namespace septet::graph
