// Reads a recording of any supported format, detected from its content.
#pragma once

#include <string>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

// Throws ConfigError when the file can't be read or is of no known format.
RecordedTrace read_recorded(const std::string& path);

}  // namespace septet::recorded
