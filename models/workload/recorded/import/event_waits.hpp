// Which stream waits for which event record, and which record the CPU waits for.
//
// Kineto's API calls name neither stream nor event. Synchronisation records do, where the profiler
// records them. Without them a cudaStreamWaitEvent is resolved only when the times prove it:
// a command started late for no other reason, and just then the last command that another stream
// held at a cudaEventRecord before the wait had ended. What stays unknown is counted.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/workload/recorded/import/launch_order.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

struct EventUse {
  std::uint32_t event = kNone;   // Program's event
  std::uint32_t stream = kNone;  // recorded on it, or waits for it; kNone: the CPU waits
};

struct EventWaits {
  std::uint32_t events = 0;
  std::map<std::uint32_t, EventUse> records;                       // by call
  std::map<std::uint32_t, EventUse> waits;                         // by call, cudaStreamWaitEvent
  std::map<std::uint32_t, EventUse> host_waits;                    // by call, cudaEventSynchronize
  std::map<std::uint32_t, std::uint32_t> stream_synchronizations;  // call -> stream
  std::map<std::uint32_t, std::uint32_t> device_synchronizations;  // call -> Program's device
  std::map<std::uint32_t, std::uint32_t> record_of_event;          // event -> call

  // Makes `record_call` record an event on `stream` if it doesn't yet; returns the event, or kNone
  // when the call records another stream.
  std::uint32_t record(std::uint32_t record_call, std::uint32_t stream);
};

// From synchronisation records.
EventWaits read_event_waits(const RecordedTrace& trace, RecordingIndex& index);

}  // namespace septet::recorded
