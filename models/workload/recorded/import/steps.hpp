// The steps (iterations) of a recording: its ProfilerStep annotations; without them the smallest
// period of the sequence of launched commands, if it repeats at least twice and is eight commands
// or longer (a last, incomplete period counts as a step); else the whole recording is one step.
#pragma once

#include <string>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

struct Step {
  std::string name;
  Instant begin;               // of its first call that launches something, or of its annotation
  std::uint32_t call = kNone;  // RecordingIndex::calls: the first launch in it; kNone: none
  Instant marked;              // begin of that call, where the Program has the step's marker
};

// By begin; never empty.
std::vector<Step> find_steps(const RecordedTrace& trace, const RecordingIndex& index);

// The step that an instant lies in. What lies before the first step belongs to it.
std::uint32_t step_at(const std::vector<Step>& steps, Instant instant);

}  // namespace septet::recorded
