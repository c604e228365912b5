// The requests of a scenario.
#pragma once

#include <cstdint>

#include "models/workload/requests/request.hpp"
#include "scenarios/serving/serving_text.hpp"

namespace septet::serving {

// Whether other seeds give other requests.
bool is_random(const ArrivalsText& text);

// Reads the log, or draws. Throws ConfigError.
requests::Workload workload_of(const ArrivalsText& text, std::uint64_t seed);

// The same with gaps between arrivals shorter by `factor`; conversations keep their pauses.
requests::Workload at_rate(requests::Workload workload, double factor);

}  // namespace septet::serving
