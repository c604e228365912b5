// CUDA graphs in place of single launches, at the costs of the profile.
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/whatif/call_times.hpp"
#include "scenarios/whatif/capture.hpp"
#include "scenarios/whatif/changes.hpp"

namespace septet::whatif::changes {

namespace {

// Frameworks need less between two launches; what takes longer is other work.
constexpr Duration kLongestBetweenLaunches{300 * kPicosecondsPerMicrosecond};

bool allocates(std::string_view call) {
  for (const char* name : {"cudaMalloc", "cudaFree", "cudaHostAlloc", "cuMemAlloc", "cuMemFree",
                           "hipMalloc", "hipFree", "hipHostMalloc"}) {
    if (call.starts_with(name) && call.find("Async") == std::string_view::npos) return true;
  }
  return false;
}

// What a stream capture doesn't allow, and what it takes instead.
std::vector<std::string> obstacles_in(const program::Program& program) {
  std::uint64_t waits = 0;
  std::uint64_t pageable = 0;
  std::uint64_t allocations = 0;
  for (const program::HostThread& thread : program.threads) {
    for (const program::Call& call : thread.calls) {
      waits += program::is<program::SynchronizeEvent>(call) ||
                       program::is<program::SynchronizeStream>(call) ||
                       program::is<program::SynchronizeDevice>(call)
                   ? 1
                   : 0;
      const auto* copy = program::get_if<program::Copy>(call);
      pageable += copy != nullptr && (!copy->pinned || copy->blocking) ? 1 : 0;
      const bool other = program::is<program::OtherApiCall>(call) && call.name != kNone;
      allocations += other && allocates(program.strings[call.name]) ? 1 : 0;
    }
  }
  std::vector<std::string> out;
  if (waits > 0) {
    out.push_back(fmt::format(
        "{} synchronisations end a capture: each cuts the graphs there; keep them out of the step",
        waits));
  }
  if (pageable > 0) {
    out.push_back(fmt::format(
        "{} copies of pageable memory can't be captured as they are: use pinned buffers at fixed "
        "addresses",
        pageable));
  }
  if (allocations > 0) {
    out.push_back(fmt::format(
        "{} allocations can't be captured: allocate before, or from the capture's memory pool",
        allocations));
  }
  return out;
}

}  // namespace

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
  options.kept_from = kLongestBetweenLaunches;
  const std::vector<std::string> obstacles = obstacles_in(state.program);
  options.steps = marker_times(state.program, rows);
  Capture captured = capture_graphs(state.program, rows, options);
  state.program = std::move(captured.program);
  const char* nodes =
      state.program.collectives.empty() ? "kernels and copies" : "kernels, copies and collectives";
  state.notes.push_back(
      fmt::format("{} {} in {} graph launches", captured.nodes, nodes, captured.graphs));
  if (captured.kept > 0) {
    state.notes.push_back(fmt::format(
        "{} stretches of CPU work that launch nothing stay: {:.1f} us (each {} us or more)",
        captured.kept, to_us(captured.kept_time), to_us(kLongestBetweenLaunches)));
  }
  if (captured.removed > Duration(0)) {
    state.notes.push_back(
        fmt::format("{:.1f} us of CPU time between launches are gone", to_us(captured.removed)));
  }
  for (const std::string& obstacle : obstacles) state.notes.push_back(obstacle);
}

}  // namespace septet::whatif::changes
