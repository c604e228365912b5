// CUDA graphs in place of single launches, at the costs of the profile.
#include <fmt/format.h>

#include "scenarios/whatif/call_times.hpp"
#include "scenarios/whatif/capture.hpp"
#include "scenarios/whatif/changes.hpp"

namespace septet::changes {

void cuda_graphs(const std::string& value, WhatIfState& state) {
  if (!value.empty() && value != "step" && value != "whole") {
    wrong_value("cuda-graphs", value, "step or whole");
  }
  const RunRows rows = run_now(state);
  CaptureOptions options;
  options.whole = value == "whole";
  options.steps = marker_times(state.program, rows);
  Capture captured = capture_graphs(state.program, rows, options);
  state.program = std::move(captured.program);
  state.notes.push_back(
      fmt::format("{} kernels and copies in {} graph launches", captured.nodes, captured.graphs));
}

}  // namespace septet::changes
