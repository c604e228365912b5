// What-if: the work between two synchronisations captured into CUDA graphs.
//
// Each stretch of GPU commands between synchronisations (and, unless `whole`, between steps)
// becomes one graph for each set of streams that events tie together; nodes depend on one another
// as streams and events ordered the commands. Kernels and copies keep their durations. The CPU work
// inside a stretch disappears, since a replayed graph needs none of it; the synchronisations stay.
// Instantiation is not part of the time: a graph is instantiated once and launched many times.
#pragma once

#include <vector>

#include "models/program/program.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::whatif {

struct CaptureOptions {
  // CPU work of a call or between two calls that takes this long isn't part of launching: it stays,
  // and ends a graph.
  Duration kept_from = Duration::max();
  bool whole = false;          // one stretch over step boundaries
  std::vector<Instant> steps;  // begins of steps in the base run, ascending
};

struct Capture {
  std::uint64_t kept = 0;  // calls and stretches of CPU work that stay
  Duration kept_time{};
  Duration removed{};  // CPU time between launches and of calls that launch nothing
  program::Program program;
  std::uint64_t graphs = 0;
  std::uint64_t nodes = 0;
};

// `base`: the rows of a run of `program`, which give the order of the calls of several threads.
Capture capture_graphs(const program::Program& program, const analysis::RunRows& base,
                       const CaptureOptions& options);

}  // namespace septet::whatif
