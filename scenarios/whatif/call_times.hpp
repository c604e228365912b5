// When each call of a program began and ended in a run.
#pragma once

#include <cstdint>
#include <vector>

#include "models/program/program.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::whatif {

struct CallTime {
  Instant start, end;
};

// [thread][call]. Calls that the trace does not show (host work, hand-offs) get the time between
// their neighbours.
std::vector<std::vector<CallTime>> call_times(const program::Program& program,
                                              const analysis::RunRows& rows);

// A call of the program and when it began.
struct TimedCall {
  Instant start;
  std::uint32_t thread = 0;
  std::uint64_t index = 0;
};

// All calls of one process in the order in which they began.
std::vector<TimedCall> calls_in_order(const program::Program& program,
                                      const analysis::RunRows& rows, std::uint32_t process);

// When the markers of a program (its steps) were passed, ascending.
std::vector<Instant> marker_times(const program::Program& program, const analysis::RunRows& rows);

}  // namespace septet::whatif
