// Contents of a trace file besides its rows: the texts of its codes, the GPU, and the structure of
// the program's graphs, as needed for a replay of the file
// (models/workload/recorded/septet/septet_reader.hpp).
//
//   attributes gpu, host, connections, peer_latency (ps); other_gpus where there are several kinds
//   /dict, /names        the texts of codes
//   /graphs, /graph_edges, /link_ends   see models/records/FORMAT.md
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/trace/hdf5_writer.hpp"
#include "scenarios/system/system.hpp"

namespace septet::system {

// What the codes of a run mean: texts by code, by the name of the dictionary.
std::map<std::string, std::vector<std::string>> dictionaries_of(const SystemTrace& trace);

// To be called before the first row.
void describe_run(const System& system, trace::Hdf5Writer& writer);

}  // namespace septet::system
