// Why a program cannot continue: who waits for whom, as a chain from a waiting thread to a cycle,
// or to a wait that nothing can satisfy.
#pragma once

#include <string>
#include <vector>

#include "models/program/waiting.hpp"

namespace septet::system {

// `waiting`: every thread that has not finished and every stream with commands that have not
// ended. `queues`: by queue of the program. `collectives`: those that lack ranks. Empty where
// nobody waits.
std::string explain_deadlock(const program::Program& program, std::vector<program::Waiting> waiting,
                             const std::vector<program::QueueState>& queues,
                             const std::vector<program::IncompleteCollective>& collectives);

}  // namespace septet::system
