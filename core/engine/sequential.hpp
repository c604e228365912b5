// A run in one partition: no windows, no synchronisation.
#pragma once

#include "core/engine/model.hpp"
#include "core/engine/partition.hpp"
#include "core/engine/simulation.hpp"

namespace septet::engine {

RunResult run_sequentially(Model& model, const RunOptions& options);

// The partition of such a run, before its start.
Partition whole_model(Model& model, const RunOptions& options);

// The rest of a run, once LPs have started. Of events before `options.end`.
void handle_rest(Partition& whole, const RunOptions& options);

}  // namespace septet::engine
