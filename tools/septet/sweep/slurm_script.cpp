#include "tools/septet/sweep/slurm_script.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace septet::command {
namespace {

// "HH:MM:00", whole minutes. A day at most, which partitions allow: a task goes on after it.
std::string time_limit(double seconds) {
  constexpr double kLeast = 600;
  constexpr double kMost = 24 * 3600;
  constexpr double kReserve = 2;
  const auto minutes =
      static_cast<std::uint64_t>(std::ceil(std::clamp(kReserve * seconds, kLeast, kMost) / 60));
  return fmt::format("{:02}:{:02}:00", minutes / 60, minutes % 60);
}

}  // namespace

std::string slurm_script(const SlurmJob& job) {
  return fmt::format(
      R"(#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=0-{last}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={threads}
#SBATCH --time={limit}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@60
# Each task takes every {tasks}th point. When all are done: the same command with --merge.
# Where septet is not in PATH: a line "module load septet" here, or "apptainer exec septet.sif"
# before septet.

{command} --threads "${{SLURM_CPUS_PER_TASK:-{threads}}}" &
child=$!
trap 'kill -USR1 "$child"' USR1 USR2 XCPU INT TERM  # whatever the warning is
code=129
while [ "$code" -gt 128 ]; do
  wait "$child"
  code=$?
  if [ "$code" -gt 128 ] && ! kill -0 "$child" 2>/dev/null; then
    # A warning ended the wait as the command ended, or a signal the command: then 127.
    wait "$child"
    last=$?
    if [ "$last" -ne 127 ]; then code=$last; fi
    break
  fi
done
# 75: interrupted, the same line goes on.
if [ "$code" -eq 75 ]; then scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"; fi
exit "$code"
)",
      fmt::arg("name", job.name), fmt::arg("last", job.tasks - 1), fmt::arg("tasks", job.tasks),
      fmt::arg("threads", job.threads), fmt::arg("limit", time_limit(job.seconds)),
      fmt::arg("command", job.command));
}

}  // namespace septet::command
