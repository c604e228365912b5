// The end of a sweep: its files, and what is said.
#pragma once

#include "scenarios/sweep/result_table.hpp"
#include "tools/septet/exit_code.hpp"
#include "tools/septet/study/provenance.hpp"
#include "tools/septet/sweep/sweep_case.hpp"

namespace septet::command {

struct SweepCounts {
  std::size_t completed = 0;
  std::size_t failed = 0;

  void add(sweep::Status status);
};
SweepCounts counts_of(const sweep::ResultTable& table);
SweepCounts counts_of(const sweep::Results& results);

// sweep.csv, sweep.h5 and sweep.json, into the output folder.
void write_results(const Sweep& sweep, const sweep::ResultTable& table, const SweepCounts& counts,
                   const SweepRequest& request, const CommandClock& clock);

// Writes sweep.csv, sweep.h5 and sweep.json where every point has a result, names the failures and
// prints the counts.
ExitCode finish_sweep(const Sweep& sweep, const sweep::Results& results,
                      const SweepRequest& request, const CommandClock& clock);

}  // namespace septet::command
