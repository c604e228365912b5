// The end of a sweep: its files, and what is said.
#pragma once

#include "scenarios/sweep/journal.hpp"
#include "tools/septet/exit_code.hpp"
#include "tools/septet/study/provenance.hpp"
#include "tools/septet/sweep/sweep_case.hpp"

namespace septet::command {

// Writes sweep.csv, sweep.h5 and sweep.json where every point has a result, names the failures and
// prints the counts.
ExitCode finish_sweep(const Sweep& sweep, const sweep::Results& results,
                      const SweepRequest& request, const CommandClock& clock);

}  // namespace septet::command
