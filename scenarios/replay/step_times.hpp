// How long the steps of a recording took, and what the slowest one has more of.
#pragma once

#include <cstddef>
#include <string>

#include "models/workload/recorded/import/importer.hpp"

namespace septet::replay {

struct StepTimes {
  std::size_t steps = 0;
  Duration mean{}, least{}, most{};
  std::string slowest;   // its name
  Duration more_work{};  // its kernels and copies take this much more than a median step's
  Duration more_idle{};  // the rest of its time, compared with a median step's
};

// From the begin of each step to that of the next one, of the last step to the end of the
// recording. Zero steps where there are fewer than two, or those of several ranks.
StepTimes step_times(const recorded::Import& recording);

}  // namespace septet::replay
