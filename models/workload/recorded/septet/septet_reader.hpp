// Reads the trace.h5 of a run of Septet as a recording, so that a simulation can be replayed and
// asked what-ifs like a profile of a real GPU.
//
// Rows are tied by (thread, call), the place of the call in its Program, never by times. Each call
// gets an id of its own as its correlation: the recorded one where that is unique. Which stream,
// event or device a call names is written down, so synchronisation records are complete and no wait
// has to be inferred; graphs come with their edges. `simulated` tells the importer that times have
// no spread. Not in such a file: shapes of kernels beyond their number of blocks, and hand-offs
// between threads, which the importer infers; calls on the queues of persistent kernels become host
// time.
//
// Throws ConfigError (file, table, column, row, what was got and what is wanted) for a file that is
// truncated, not a trace of Septet, or lacks what every trace has.
#pragma once

#include <string>
#include <string_view>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

RecordedTrace read_septet(const std::string& path);

// Whether a file that starts with `head` is an HDF5 file.
bool looks_like_hdf5(std::string_view head);

}  // namespace septet::recorded
