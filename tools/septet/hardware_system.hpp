// The system that a chosen piece of hardware makes.
#pragma once

#include "scenarios/config/scenario.hpp"
#include "scenarios/system/system.hpp"

namespace septet {

SystemSpec system_of(const Hardware& hardware);

// How a scenario says that it runs, on `threads` threads.
RunOptions options_of(const RunSettings& run, unsigned threads);

}  // namespace septet
