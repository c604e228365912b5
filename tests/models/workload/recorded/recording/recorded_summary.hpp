// What a recording holds, in a few figures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::test {

inline std::uint64_t count_of(const recorded::RecordedTrace& trace, recorded::RecordedKind kind) {
  return static_cast<std::uint64_t>(
      std::count_if(trace.events.begin(), trace.events.end(),
                    [kind](const recorded::RecordedEvent& event) { return event.kind == kind; }));
}

// On all devices.
inline std::size_t streams_with_work(const recorded::RecordedTrace& trace) {
  std::set<std::pair<std::uint16_t, std::int32_t>> streams;
  for (const recorded::RecordedEvent& event : trace.events) {
    if (is_gpu_work(event.kind)) streams.emplace(event.device, event.stream);
  }
  return streams.size();
}

// From the first start to the last end of all events.
inline Duration span_of(const recorded::RecordedTrace& trace) {
  Instant last;
  for (const recorded::RecordedEvent& event : trace.events) {
    last = std::max(last, event.start + event.duration);
  }
  return trace.events.empty() ? Duration{} : last - trace.events.front().start;
}

}  // namespace septet::test
