// The dynamic lookahead of a GPU: the earliest time at which one of its collectives that leave its
// node may start. Until then it sends nothing to the rest of the cluster, so the engine can
// simulate nodes independently for that long (LogicalProcess::earliest_output_time).
//
// It follows from the calls of the GPU's thread alone. A collective starts after the earlier work
// in its stream, the events that its stream waits for, and the synchronisations of its thread
// before the call; and the work of a stream takes at least the recorded durations of its kernels,
// the gaps between them, and the times of collectives inside the node on idle links. Unknown times
// count as zero, so that the answer is never too late.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/network/rendezvous/call_table.hpp"
#include "models/program/layout.hpp"

namespace septet::gpu {

// Of one list of calls. Streams are those of the GPU, by slot.
struct CallHorizon {
  // A collective that leaves the node.
  struct Departure {
    // By stream: one more than the last call that must be over before; 0: none.
    std::vector<std::uint32_t> needs;
  };

  std::vector<Duration> least;    // by call: lower bound of its own time
  std::vector<Duration> through;  // by call: what its stream does up to its end, with gaps
  std::vector<std::vector<Departure>> departures;  // by stream, in order
  Duration gap;                                    // counted before each launch
};

// Progress of a stream.
struct StreamProgress {
  std::uint32_t ended = 0;        // one more than the last call that is over
  std::uint32_t departed = 0;     // departures that have started
  bool away = false;              // the last of them is not over
  std::uint32_t running = kNone;  // the last launched call, not over
  Instant since;                  // when it starts
};

// Nothing happens before `next`. Instant::max(): none before something arrives from outside.
Instant first_departure(const CallHorizon& horizon, std::span<const StreamProgress> streams,
                        Instant next);

class CallHorizons {
 public:
  struct Input {
    const program::Program& program;
    const program::ProgramLayout& layout;
    const network::CollectiveCallTable& calls;
    const network::CollectiveModel& network;
    Duration gap;                        // between what a stream launches, at least
    bool durations_are_rounded = false;  // kernels share, in steps that are rounded
  };

  CallHorizons() = default;
  explicit CallHorizons(const Input& input);

  // nullptr: no dynamic lookahead, because the device communicates with other nodes in other ways,
  // or is used by several processes or several threads.
  const CallHorizon* of(std::uint32_t device) const {
    return by_device_.empty() ? nullptr : by_device_[device];
  }

 private:
  std::vector<std::unique_ptr<CallHorizon>> horizons_;  // GPUs with the same calls share one
  std::vector<const CallHorizon*> by_device_;
};

}  // namespace septet::gpu
