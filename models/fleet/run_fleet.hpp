// Runs a workload on a fleet, from the first arrival to the last response.
#pragma once

#include "core/engine/simulation.hpp"
#include "models/fleet/fleet_result.hpp"
#include "models/fleet/fleet_spec.hpp"
#include "models/workload/requests/request.hpp"
#include "models/workload/serving/engine.hpp"

namespace septet::fleet {

// Everything that shapes a run; what it points to outlives the run.
struct FleetRun {
  const FleetSpec& fleet;
  const serving::EngineSpec& engine;  // of every replica
  const serving::EngineCosts& costs;
  const requests::Workload& workload;
};

// Independent of the number of threads. `options.end` stops it: requests without a complete
// response are unfinished.
FleetResult run_fleet(const FleetRun& run, const engine::RunOptions& options);

}  // namespace septet::fleet
