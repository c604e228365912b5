// Captures programs that were run on the system of round numbers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/whatif/capture.hpp"
#include "tests/support/calls.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {

// Two streams, two events, a kernel of 10 us.
struct Maker : program::ProgramBuilder {
  Maker() {
    kernel(program::spin_kernel(1, 32, 10_us));
    stream();
    stream();
    event();
    event();
    thread();
  }
};

inline whatif::Capture captured(const program::Program& program,
                                const whatif::CaptureOptions& options = {},
                                const system::SystemSpec& system = round_system()) {
  whatif::Capture capture = capture_graphs(program, TimedRun(program, system).rows(), options);
  check(capture.program);
  return capture;
}

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

inline Edges edges(const whatif::Capture& capture, std::size_t graph = 0) {
  Edges out;
  for (const program::GraphEdge& edge : capture.program.graphs.at(graph).edges) {
    out.emplace_back(edge.from, edge.to);
  }
  return out;
}

// "launch graph 0 on 0, synchronize device, ..."
inline std::string calls(const whatif::Capture& capture, std::size_t thread = 0) {
  std::string out;
  for (const program::Call& call : capture.program.threads.at(thread).calls) {
    if (!out.empty()) out += ", ";
    out += name_of(call.kind());
    if (call.kind() == program::CallKind::kLaunchGraph)
      out += " " + std::to_string(*index_in(call));
    if (uses_stream(call.kind())) out += " on " + std::to_string(call.stream);
  }
  return out;
}

}  // namespace septet::test
