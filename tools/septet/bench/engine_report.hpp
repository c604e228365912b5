// What a benchmark of the whole engine measured.
#pragma once

#include <cstdint>

#include "core/engine/simulation.hpp"

namespace septet {

struct EngineReport {
  std::uint64_t events = 0;
  double seconds = 0;  // of the run, without building the model
  double events_per_s = 0;
  std::uint64_t digest = 0;
  std::uint64_t windows = 0;
};

EngineReport time_run(Simulation& simulation, const RunOptions& options);

}  // namespace septet
