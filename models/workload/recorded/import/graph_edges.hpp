// The dependencies between the nodes of one graph launch. A profiler names the nodes but not the
// edges, so they are inferred: a node follows the node before it on its stream; the first node of a
// stream follows the node that had ended last (a fork) or nothing (a root); a node that started
// right after a node of another stream had ended, long after its own predecessor, follows both (a
// join). Edges that did not show in the times are not found.
#pragma once

#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/program.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

// As recorded where the recording has the edges of the graph, else inferred. Nodes are positions in
// `call.commands`; edges are sorted by `to`. `node_gap` is what usually passes from a node's end to
// its successor's start.
std::vector<program::GraphEdge> graph_edges(const RecordedTrace& trace, const RecordingIndex& index,
                                            const HostCall& call, Duration node_gap);
std::vector<program::GraphEdge> infer_graph_edges(const RecordingIndex& index, const HostCall& call,
                                                  Duration node_gap);

}  // namespace septet::recorded
