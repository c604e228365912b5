// Reads a Kineto (Chrome trace) JSON file, plain or gzip, in one pass and without ever holding it
// in memory: the output of the PyTorch profiler, in all variants since 2021, and bare arrays.
//
// It reads slices (ph X, or B and E), names, deviceProperties, distributedInfo and
// baseTimeNanoseconds. Not read: call stacks, counters, instants, GPU annotations and flows
// (correlations say what those of launches do); they are counted in `unused`. Source of the format:
// libkineto/src/output_json.cpp of pytorch/kineto, and recorded files.
//
// Throws ConfigError (file, line or byte, reason) when the file can't be opened, is no JSON, is
// damaged, or ends before its first complete entry. A file that ends later is read as far as it
// goes, with `cut_at_byte` set. Whatever else was wrong is counted in `anomalies`.
#pragma once

#include <string>
#include <string_view>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

RecordedTrace read_kineto(const std::string& path);

// Whether a file that starts with `head` (unpacked) may be one: its first character opens a JSON
// object or array.
bool looks_like_kineto(std::string_view head);

}  // namespace septet::recorded
