// GPU commands in the order in which they were launched: what a stream, an event or the CPU waits
// for is the work launched before a call.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

class LaunchOrder {
 public:
  explicit LaunchOrder(const RecordingIndex& index);

  // When the work launched on `stream` (kNone: on any) by calls that began before `begin` ended.
  // The window's beginning when there is none.
  Instant end_of_work(std::uint32_t stream, Instant begin) const;

  // The last command launched on `stream` before `begin`; kNone when there is none.
  std::uint32_t last_command(std::uint32_t stream, Instant begin) const;

 private:
  struct Entry {
    Instant launched;
    Instant end;  // the latest one up to here
    std::uint32_t command = kNone;
  };
  const Entry* find(std::uint32_t stream, Instant begin) const;

  std::vector<std::vector<Entry>> streams_;  // by launched; the last list is all streams together
};

}  // namespace septet::recorded
