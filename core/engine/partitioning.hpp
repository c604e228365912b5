// Which partition each process runs in. Results do not depend on it; speed does.
#pragma once

#include <vector>

#include "core/engine/process_table.hpp"
#include "core/engine/simulation.hpp"

namespace septet {

struct Partitioning {
  std::vector<PartitionId> of_process;
  std::vector<std::vector<ProcessId>> members;  // by partition, in the order of their ids

  std::size_t count() const { return members.size(); }
};

// How many partitions a run of so many processes wants; no more than this many are made.
// `foreseeing`: how many of them can tell how long they are silent.
std::size_t wanted_partitions(const RunOptions& options, std::size_t processes,
                              std::size_t foreseeing = 0);

// Splits the groups, in the order of their ids, into at most `count` stretches of about as many
// processes each: neighbours by number usually talk to one another. Up to an eighth more where that
// gives each group one of its own.
Partitioning split_groups(const ProcessTable& processes, std::size_t count);

}  // namespace septet
