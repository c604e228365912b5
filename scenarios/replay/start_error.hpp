// How far the starts of replayed commands are from the recorded ones.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/recorded/import/importer.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::replay {

struct StartError {
  Duration median{};  // of the absolute errors
  Duration max{};
  std::uint64_t commands = 0;
};

// Each command's start counts from the start of the first command of its step, in the recording and
// in the replay: an error in one step is not counted again in the next ones. Asserts that the
// replay ran every recorded command.
StartError start_error(const recorded::Import& recording, const analysis::RunRows& replay);

}  // namespace septet::replay
