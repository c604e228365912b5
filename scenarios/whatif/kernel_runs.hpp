// Kernels that follow one another on a stream with nothing between them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/program/program.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::whatif {

// Launches of one thread on one stream.
struct KernelRun {
  std::uint32_t thread = 0;
  std::vector<std::uint64_t> calls;
};

struct RunRules {
  std::function<bool(const program::Call&)> wanted;  // of kernel launches whose duration is known
  bool over_steps = false;                           // a marker does not end a run
};

// All runs, those of one kernel too. A run ends with the next other command of its stream, with a
// synchronisation that waits for it, and where another thread launches something on the stream.
// `base`: the rows of a run of `program`, which give the order of the calls of several threads.
std::vector<KernelRun> kernel_runs(const program::Program& program, const analysis::RunRows& base,
                                   const RunRules& rules);

}  // namespace septet::whatif
