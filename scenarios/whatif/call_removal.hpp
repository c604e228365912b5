// Removal of calls from a program together with what belongs to them.
#pragma once

#include <vector>

#include "models/program/program.hpp"

namespace septet::whatif {

// Which calls of a thread go: by call.
using Removed = std::vector<bool>;

// Takes submissions out of `thread`, with the other parts of their API calls. Where an API call had
// further commands that stay, it keeps its cost.
void remove_submissions(program::HostThread& thread, const Removed& removed);
// The same; calls in `dropped` go without a trace.
void remove_submissions(program::HostThread& thread, const Removed& removed,
                        const Removed& dropped);

// Takes nodes out of the program's graphs ([graph][node]); launches of graphs that are then empty
// go too.
void remove_nodes(program::Program& program, const std::vector<std::vector<bool>>& removed);

}  // namespace septet::whatif
