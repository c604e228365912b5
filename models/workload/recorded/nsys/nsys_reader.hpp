// Reads a recording of Nsight Systems: its export to SQLite (`nsys export --type sqlite`, plain or
// gzip), and a report (.nsys-rep, .qdrep) through `nsys export` where that is installed.
//
// It reads kernels, copies, memsets, graphs (by node or as a whole), calls of the runtime and the
// driver, synchronisations, NVTX push/pop ranges, the profiler's overhead, and what the export says
// of devices, streams and threads. Correlations and streams of several processes are kept apart.
// Not read: OS calls, samples, GPU metrics, marks, start/end ranges. Source of the format: the
// schema that `nsys export` writes into each file (versions 3.x), and recorded files.
//
// Throws ConfigError (file and reason) for a file that is damaged, is no export, or has no CUDA
// activity. Rows without times are counted in `anomalies`.
#pragma once

#include <string>
#include <string_view>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

RecordedTrace read_nsys(const std::string& path);
RecordedTrace read_nsys_report(const std::string& path);

// Whether a file that starts with `head` is an SQLite file.
bool looks_like_sqlite(std::string_view head);

// Whether the name is that of a report.
bool is_nsys_report(std::string_view path);

}  // namespace septet::recorded
