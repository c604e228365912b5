// Requests served by a fleet, from the first arrival until the last answer.
#pragma once

#include <memory>

#include "core/engine/simulation.hpp"
#include "models/fleet/fleet_result.hpp"
#include "models/fleet/fleet_spec.hpp"
#include "models/workload/requests/request.hpp"
#include "models/workload/serving/engine.hpp"
#include "models/workload/serving/kv_transfer.hpp"

namespace septet::fleet {

// The replicas that compute prompts, and the way from them to the others.
struct PrefillPool {
  serving::EngineSpec engine{};
  serving::EngineCosts costs{};
  std::shared_ptr<const serving::KvTransfer> transfer{};
};

// Everything that shapes a run; what it points to outlives the run.
struct FleetRun {
  const FleetSpec& fleet;
  const serving::EngineSpec& engine;  // of every replica
  const serving::EngineCosts& costs;
  const requests::Workload& workload;
  bool records_steps = false;
  const PrefillPool* prefill = nullptr;  // with disaggregation
};

// The same for any number of threads. `options.end` cuts it: what is not answered is unfinished.
FleetResult run_fleet(const FleetRun& run, const engine::RunOptions& options);

}  // namespace septet::fleet
