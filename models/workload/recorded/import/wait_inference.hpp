// Resolves a cudaStreamWaitEvent of unknown stream and event by the times, see event_waits.hpp.
#pragma once

#include <vector>

#include "models/workload/recorded/import/event_waits.hpp"
#include "models/workload/recorded/import/launch_order.hpp"

namespace septet::recorded {

class WaitInference {
 public:
  WaitInference(const RecordingIndex& index, const LaunchOrder& order, EventWaits& waits);

  // Explains why `command` started late, if a wait call of its thread between the launch before it
  // on its stream and its own launch can. Returns whether it did.
  bool explain(std::uint32_t command);

  // Whether the thread of `launch` called an event wait that is still unknown between the calls
  // `before` and `launch`.
  bool unresolved_between(std::uint32_t before, std::uint32_t launch) const;

  std::uint64_t inferred() const { return inferred_; }

 private:
  bool try_wait(const GpuCommand& command, std::uint32_t wait_call);
  bool try_record(const GpuCommand& command, std::uint32_t wait_call, std::uint32_t record_call);

  const RecordingIndex& index_;
  const LaunchOrder& order_;
  EventWaits& waits_;
  std::vector<std::vector<std::uint32_t>> wait_calls_;    // by thread, by begin
  std::vector<std::vector<std::uint32_t>> record_calls_;  // by thread, by begin
  std::uint64_t inferred_ = 0;
};

}  // namespace septet::recorded
