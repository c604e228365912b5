// When the steps of a recording begin in its replay.
#pragma once

#include <vector>

#include "models/workload/recorded/import/importer.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::replay {

// The issue of each step's first command, ascending.
std::vector<Instant> step_begins(const recorded::Import& recording, const analysis::RunRows& rows);

}  // namespace septet::replay
