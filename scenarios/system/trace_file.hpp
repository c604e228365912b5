// What the trace file of a run says besides its rows: the texts of its codes, the GPU, and the
// structure of the program's graphs; what a replay of the file needs
// (models/workload/recorded/septet/septet_reader.hpp).
//
//   attributes gpu, connections, peer_latency (ps)
//   /graphs       graph (the object of a graph launch), shape
//   /graph_edges  shape, from, to: nodes as the column `node` numbers them
//   /link_ends    link (the column `link` of /links), from, to, rate: each link by its ends; only
//                 where there is a table /links
#pragma once

#include "core/trace/hdf5_writer.hpp"
#include "scenarios/system/system.hpp"

namespace septet {

// To be called before the first row.
void describe_run(const System& system, Hdf5Writer& writer);

}  // namespace septet
