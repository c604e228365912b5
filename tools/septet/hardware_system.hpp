// The system that a chosen piece of hardware makes.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/program/scenario.hpp"
#include "scenarios/system/system.hpp"

namespace septet {

SystemSpec system_of(const Hardware& hardware);

// What the option --hardware names, with the settings of --set.
SystemSpec system_named(const std::string& gpu, const std::vector<std::string>& settings);

// How a scenario says that it runs, on `threads` threads.
RunOptions options_of(const RunSettings& run, unsigned threads);

}  // namespace septet
