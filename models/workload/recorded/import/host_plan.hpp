// The CPU cost of each recorded API call, and what it waits for.
//
// A call that waited is split: its cost is that of calls of its kind without waiting, and the
// simulator reproduces the rest. Waits are those for a stream, event or device, for a blocking
// copy, and for space in the ring buffer of pending launches.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/import/calibration.hpp"
#include "models/workload/recorded/import/command_plan.hpp"
#include "models/workload/recorded/import/event_waits.hpp"
#include "models/workload/recorded/import/launch_order.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

enum class HostWait : std::uint8_t { kNothing, kStream, kEvent, kDevice, kCopy, kRing };

struct CallPlan {
  Duration cost{};  // until the call's commands are submitted, or of the whole call
  Duration rest{};  // cost after the submission
  HostWait wait = HostWait::kNothing;
  std::uint32_t object = kNone;  // stream or event waited for
  Instant until;                 // when the awaited work ended in the recording
};

// `ring_capacity`: launches that may be pending before the CPU blocks.
std::vector<CallPlan> plan_calls(const RecordedTrace& trace, RecordingIndex& index,
                                 const LaunchOrder& order, const CommandPlans& commands,
                                 const EventWaits& waits, std::uint32_t ring_capacity);

}  // namespace septet::recorded
