// Reads an XSpace file (.xplane.pb) of the profiler of JAX and TensorFlow, plain or gzip.
//
// GPU planes (/device:GPU:N) hold a line for each stream, whose events are kernels, copies and
// memsets; host planes hold a line for each thread with API calls, which carry the correlation of
// what they launch, and annotations. Lines of a GPU plane that repeat the work by module, operator
// or name are left out. TPU planes are not read. Source of the format: xplane.proto of
// tensorflow/tsl, and recorded files.
//
// Throws ConfigError (file and reason) when the file can't be opened, is damaged, or has no GPU
// plane.
#pragma once

#include <string>
#include <string_view>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

RecordedTrace read_xspace(const std::string& path);

// Whether a file that starts with `head` is a protobuf message with planes.
bool looks_like_xspace(std::string_view head);

}  // namespace septet::recorded
