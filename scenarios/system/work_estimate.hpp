// Size of a run before it starts: to announce long runs and to refuse those that can't fit in
// memory.
//
// Events follow from counts: each call and each command of a GPU has a few, and each wave of blocks
// as many as groups of blocks start and end together. Seconds and bytes are these times the cost
// of one on a current core, fitted to runs of 1e4 to 1e8 events (README.md) within a factor of two.
// Messages of collectives in a network are not counted.
#pragma once

#include <cstdint>

#include "scenarios/system/system_spec.hpp"

namespace septet::system {

struct WorkEstimate {
  double events = 0;
  double rows = 0;     // of traced GPUs
  double bytes = 0;    // of memory
  double seconds = 0;  // on one thread
};

WorkEstimate estimate_work(const program::Program& program, const SystemSpec& spec);

}  // namespace septet::system
