// A batch script that runs a sweep as a Slurm array.
#pragma once

#include <cstdint>
#include <string>

namespace septet::command {

struct SlurmJob {
  std::string name;
  std::string command;  // septet sweep ..., quoted for the shell, without --threads
  std::uint64_t tasks = 1;
  std::uint64_t threads = 1;  // of each task
  double seconds = 0;         // of each task, as estimated
};

// Tasks are warned a minute before the time limit, end with exit code 75 and are put back into the
// queue, where the same line goes on. The limit is twice the estimate, at least ten minutes.
std::string slurm_script(const SlurmJob& job);

}  // namespace septet::command
