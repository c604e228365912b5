// A run in one partition: no windows, no synchronisation.
#pragma once

#include "core/engine/model.hpp"
#include "core/engine/simulation.hpp"

namespace septet {

RunResult run_sequentially(Model& model, const RunOptions& options);

}  // namespace septet
