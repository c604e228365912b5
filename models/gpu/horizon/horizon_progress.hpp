// Progress of the streams of a GPU, as input of its horizon (call_horizon.hpp); nothing is kept if
// nothing can be predicted.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/horizon/call_horizon.hpp"
#include "models/program/layout.hpp"

namespace septet::gpu {

class HorizonProgress {
 public:
  // `horizon`: nullptr: nothing is predicted. Both must outlive this.
  HorizonProgress(const CallHorizon* horizon, const program::IndexSet& streams)
      : horizon_(horizon), streams_(streams), progress_(horizon == nullptr ? 0 : streams.size()) {}

  bool foresees() const { return horizon_ != nullptr; }
  Instant earliest_output(Instant next) const {
    return horizon_ == nullptr ? next : first_departure(*horizon_, progress_, next);
  }

  // Of a stream: its call `call` starts at `start`; a collective that leaves the node has started;
  // a call is over.
  void launched(std::uint32_t stream, std::uint64_t call, Instant start) {
    if (horizon_ == nullptr) return;
    StreamProgress& progress = of(stream);
    progress.running = static_cast<std::uint32_t>(call);
    progress.since = start;
  }
  void departed(std::uint32_t stream) {
    if (horizon_ == nullptr) return;
    StreamProgress& progress = of(stream);
    progress.away = true;
    ++progress.departed;
  }
  void ended(std::uint32_t stream, std::uint64_t call) {
    if (horizon_ == nullptr) return;
    StreamProgress& progress = of(stream);
    progress.ended = static_cast<std::uint32_t>(call) + 1;
    progress.running = kNone;
    progress.away = false;
  }

 private:
  StreamProgress& of(std::uint32_t stream) { return progress_[streams_.slot(stream)]; }

  const CallHorizon* const horizon_;
  const program::IndexSet& streams_;
  std::vector<StreamProgress> progress_;  // by slot
};

}  // namespace septet::gpu
