// Steps as a Program: one host thread launches the kernels of one GPU, step after step, and waits
// for the last of them.
//
// All ranks of a group do the same at the same time, so one represents all, and an exchange is a
// kernel with the duration of the group's exchange. Eager launches cost the host a framework call
// each; a graph is one launch; piecewise graphs exclude attention, which is launched on its own.
// The last part of an engine's step (head and sampling) is outside of graphs.
#pragma once

#include <cstdint>
#include <span>

#include "models/program/program.hpp"
#include "models/workload/llm/step_kernels.hpp"
#include "models/workload/serving/batch.hpp"

namespace septet::llm {

struct StepLaunch {
  serving::Execution execution = serving::Execution::kEager;
  Duration call{};          // of the host for each operator launched on its own
  Duration launch{};        // the part of it that the launch is
  bool end_outside = true;  // the last part is no part of a graph
};

program::Program step_program(std::span<const TimedStep> steps, const StepLaunch& launch);

}  // namespace septet::llm
