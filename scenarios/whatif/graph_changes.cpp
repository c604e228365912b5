// CUDA graphs in place of single launches, at the costs of the profile.
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/whatif/call_times.hpp"
#include "scenarios/whatif/capture.hpp"
#include "scenarios/whatif/changes.hpp"

namespace septet::whatif::changes {

void cuda_graphs(const std::string& value, WhatIfState& state) {
  if (!value.empty() && value != "step" && value != "whole") {
    wrong_value("cuda-graphs", value, "step or whole");
  }
  if (state.program.queues > 0) {
    throw ConfigError({},
                      "what-if cuda-graphs: a persistent kernel waits for items that a graph "
                      "cannot push; apply cuda-graphs before `persistent`, or only one of them");
  }
  const analysis::RunRows rows = run_now(state);
  share_if_alone(state, rows);
  CaptureOptions options;
  options.whole = value == "whole";
  options.steps = marker_times(state.program, rows);
  Capture captured = capture_graphs(state.program, rows, options);
  state.program = std::move(captured.program);
  const char* nodes =
      state.program.collectives.empty() ? "kernels and copies" : "kernels, copies and collectives";
  state.notes.push_back(
      fmt::format("{} {} in {} graph launches", captured.nodes, nodes, captured.graphs));
}

}  // namespace septet::whatif::changes
