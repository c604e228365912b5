// Why a program cannot go on: who waits for whom, as a chain from a waiting thread to the circle or
// to the end where nobody can help.
#pragma once

#include <string>
#include <vector>

#include "models/program/waiting.hpp"

namespace septet {

// `waiting`: every thread that has not finished and every stream with commands that have not
// ended. `queues`: by queue of the program. `collectives`: those that lack ranks. Empty where
// nobody waits.
std::string explain_deadlock(const Program& program, std::vector<Waiting> waiting,
                             const std::vector<QueueStanding>& queues,
                             const std::vector<IncompleteCollective>& collectives);

}  // namespace septet
