// The CPU cost of a call, if the program does not give it.
#pragma once

#include "models/graph/compiled_graph.hpp"
#include "models/host/host_spec.hpp"
#include "models/program/program.hpp"

namespace septet::host {

// CPU time of launching a graph of `nodes` nodes: constant for small graphs, then linear in the
// nodes (the driver writes a few words for each node that does not fit the first segment).
Duration graph_launch_cost(const HostSpec& spec, std::uint64_t nodes);

// CPU time of moving an instantiated graph to the device, before its first launch.
Duration graph_upload_cost(const HostSpec& spec, std::uint64_t nodes);

// True for copies within the device and for memsets done by a kernel.
bool copied_by_kernel(const HostSpec& spec, const program::Call& call);

// CPU time of `call`, without any waiting. `graph_nodes`: number of nodes of the graph that it
// names, if any.
Duration call_cost(const HostSpec& spec, const program::Call& call, std::uint64_t graph_nodes);

}  // namespace septet::host
