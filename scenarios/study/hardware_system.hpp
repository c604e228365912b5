// The system for a choice of hardware.
#pragma once

#include <string>
#include <vector>

#include "scenarios/config/configuration.hpp"
#include "scenarios/config/program/scenario.hpp"
#include "scenarios/system/system.hpp"

namespace septet::study {

// Reads the table [network], where there is one.
system::SystemSpec system_of(const config::Hardware& hardware);

// Of a profile with settings, chosen by an option `origin` ("--hardware").
system::SystemSpec system_named(const std::string& gpu, const std::vector<std::string>& settings,
                                const std::string& origin);

// Throws where a run of the scenario, or of one of its what-ifs, would be refused: all that they
// say is read, [network] as well.
void check_runs(const config::Configuration& configuration, const config::ProfileLibrary& library);

// How a scenario says that it runs, on `threads` threads.
engine::RunOptions options_of(const config::RunSettings& run, unsigned threads);

}  // namespace septet::study
