// The requests of a scenario.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "models/workload/requests/request.hpp"
#include "scenarios/serving/serving_text.hpp"

namespace septet::serving {

// Whether other seeds give other requests.
bool is_random(const ArrivalsText& text);

// The files that the requests come from.
std::vector<std::filesystem::path> files_of(const ArrivalsText& text);

// Reads the log, or draws. Throws ConfigError.
requests::Workload workload_of(const ArrivalsText& text, std::uint64_t seed);

// The same with gaps between arrivals shorter by `factor`; conversations keep their pauses.
requests::Workload at_rate(requests::Workload workload, double factor);

// The same with prompts and answers longer by these factors; of a token at least. What requests
// share grows with the prompts.
requests::Workload with_lengths(requests::Workload workload, double input, double output);

}  // namespace septet::serving
