// Where one CPU thread waited for another. Profilers do not record such waits, so they are
// inferred: a thread that was idle (no call, no operator) for 50 us or more and resumes with work
// while another thread of its process, which had worked meanwhile, has just fallen idle, was handed
// the work by it. PyTorch's backward pass runs on a thread of its own in this way.
#pragma once

#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

// The first piece `to_piece` of thread `to_thread` after the pause waits for the end of
// `from_piece`.
struct HandOff {
  std::uint32_t from_thread = 0;
  std::uint32_t from_piece = 0;
  std::uint32_t to_thread = 0;
  std::uint32_t to_piece = 0;
};

// Ordered by (to_thread, to_piece).
std::vector<HandOff> find_hand_offs(const RecordedTrace& trace, const RecordingIndex& index);

}  // namespace septet::recorded
