// Which part of a sweep a process runs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "scenarios/sweep/run_sweep.hpp"

namespace septet::command {

// "2/8": the shard with index 2 of 8, counted from 0. Throws UsageError.
sweep::Shard read_shard(const std::string& text);

// Environment variable by name; null where it isn't set.
using Environment = std::function<const char*(const char* name)>;

// What a batch system says: a task of a Slurm array, of a Slurm step or both, or an MPI rank.
// Nothing where there is none, or only one. Throws UsageError for values that are no numbers.
std::optional<sweep::Shard> shard_of_environment(const Environment& environment);

}  // namespace septet::command
