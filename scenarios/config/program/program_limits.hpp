// A step with which a program gets larger than memory, or longer than times go, is refused where it
// stands: later, in the middle of the run, there is no line left to name.
//
// Counted are calls, and the least time for which threads and streams are busy: the host's own
// work, durations that are given, copies at the rate of their path. Whatever else takes time is
// found out by the run.
#pragma once

#include <cstdint>
#include <map>

#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"
#include "scenarios/config/program/scenario_text.hpp"

namespace septet::config {

class ProgramLimits {
 public:
  ProgramLimits(const gpu::CopySpec& copies, std::uint64_t max_calls)
      : copies_(copies), max_calls_(max_calls) {}

  void start_thread() { thread_ = {}; }

  // A call that `step` makes in the thread. Throws ConfigError at the step.
  void add(const StepText& step, const program::Call& call);

 private:
  const gpu::CopySpec& copies_;
  std::uint64_t max_calls_;
  std::uint64_t calls_ = 0;
  Duration thread_{};
  std::map<std::uint32_t, Duration> streams_;
};

}  // namespace septet::config
