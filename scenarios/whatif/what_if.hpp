// What-ifs: named changes to a Program and the system that runs it.
//
//   NAME | NAME=VALUE | several joined by " + ", applied from left to right
//
// Each change applies to the result of the previous ones. scenarios/WHATIFS.md describes each of
// them and what it ignores.
#pragma once

#include <string>
#include <vector>

#include "core/engine/simulation.hpp"
#include "models/program/program.hpp"
#include "scenarios/system/system.hpp"
#include "scenarios/whatif/profiler_costs.hpp"

namespace septet::whatif {

struct WhatIfState {
  program::Program program;
  system::SystemSpec system;
  system::SystemSpec profile;  // the hardware as its profile describes it, without a profiler
  engine::RunOptions options;
  std::vector<std::string> notes;  // what was changed, for people
  ProfilerCosts profiler{};        // of a recording
  std::string unknown_gpu{};       // on which it was made, where that has no profile
};

struct WhatIfKind {
  std::string name;
  std::string value;        // shown in help: "", "=N" or, where it may be left out, "[=N]"
  std::string description;  // one line
  void (*apply)(const std::string& value, WhatIfState& state);
};

const std::vector<WhatIfKind>& what_if_kinds();

// Applies `text` to `state`. Throws ConfigError (without a location) naming what is unknown or
// wrong, with near misses.
void apply_what_if(const std::string& text, WhatIfState& state);

}  // namespace septet::whatif
