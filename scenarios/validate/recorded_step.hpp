// One step of a recorded model as CUDA graphs: what `cuda-graphs` makes of each recorded step, with
// each node's duration the median over the steps.
#pragma once

#include <string>
#include <vector>

#include "models/program/program.hpp"
#include "models/workload/recorded/import/importer.hpp"
#include "scenarios/system/system.hpp"

namespace septet::validation {

struct RecordedStep {
  std::vector<program::Kernel> kernels;
  std::vector<program::Graph> graphs;  // of one step, in the order of their launches
  std::vector<std::uint32_t> stream;   // by graph: where it is launched, counted from 0
  Duration eager{};                    // mean time of a recorded step
};

// `steps`: how many steps the recording holds. Throws ModelError where they do not launch the same
// graphs.
RecordedStep recorded_step(const recorded::Import& recording, const system::SystemSpec& system,
                           std::size_t steps);

}  // namespace septet::validation
