// Keeps the order in which the threads of a process touched their streams and events.
//
// Threads that share a stream order its work by when they submit it. A change that makes the CPU
// faster would let one thread overtake another; with a hand-off wherever one touched a stream or an
// event after another, every stream gets its commands, and every synchronisation finds them, in the
// order of the run `base`. These hand-offs are already satisfied in `base`, so they delay nothing
// there.
#pragma once

#include "models/program/program.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::whatif {

// `base`: the rows of a run of `program`.
void keep_submission_order(program::Program& program, const analysis::RunRows& base);

}  // namespace septet::whatif
