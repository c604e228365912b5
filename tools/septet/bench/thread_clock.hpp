// CPU time of the calling thread: what a benchmark takes on a machine that others use as well.
#pragma once

#include <ctime>

namespace septet::command {

inline double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace septet::command
