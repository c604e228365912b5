// Captures programs that were run on the system of round numbers.
#pragma once

#include <vector>

#include "scenarios/whatif/capture.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {

inline Capture captured(const Program& program, const CaptureOptions& options = {},
                        const SystemSpec& system = round_system()) {
  Capture capture = capture_graphs(program, TimedRun(program, system).rows(), options);
  check(capture.program);
  return capture;
}

}  // namespace septet::test
