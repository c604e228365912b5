// Assigns LPs to partitions. Affects only speed, not results.
#pragma once

#include <vector>

#include "core/engine/lp_table.hpp"
#include "core/engine/simulation.hpp"

namespace septet::engine {

struct Partitioning {
  std::vector<PartitionId> of_lp;
  std::vector<std::vector<LpId>> members;  // by partition, in the order of their ids

  std::size_t count() const { return members.size(); }
};

// How many partitions a run of so many LPs wants; no more than this many are made.
// `dynamic_lps`: how many of them have dynamic lookahead.
std::size_t wanted_partitions(const RunOptions& options, std::size_t lps,
                              std::size_t dynamic_lps = 0);

// Splits the groups, in the order of their ids, into at most `count` stretches of about as many
// LPs each: neighbours by number usually talk to one another. Up to an eighth more where that
// gives each group one of its own.
Partitioning split_groups(const LpTable& lps, std::size_t count);

}  // namespace septet::engine
