// The limit of resident grids, and the queue for it: nodes of running graphs first, then streams,
// each in order of arrival.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/fifo.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

class ResidentGrids {
 public:
  explicit ResidentGrids(std::uint32_t most) : most_(most) {}

  std::uint32_t count() const { return count_; }

  // Admits a launch of a stream; otherwise the stream is queued, once however often it asks.
  bool take_for_stream(std::uint32_t stream) {
    if (take()) return true;
    const bool waits = std::find(streams_.begin(), streams_.end(), stream) != streams_.end();
    if (!waits) streams_.push_back(stream);
    return false;
  }
  // The same for a node of a graph, by the index of its work.
  bool take_for_node(std::uint32_t work) {
    if (take()) return true;
    nodes_.push_back(work);
    return false;
  }

  // What is admitted next; both kNone: nothing waits.
  struct Next {
    std::uint32_t node = kNone;    // a work: it has been admitted
    std::uint32_t stream = kNone;  // it has to ask again
  };
  // A grid is no longer resident.
  Next leave() {
    --count_;
    Next next;
    if (!nodes_.empty()) {
      next.node = nodes_.front();
      nodes_.pop_front();
      ++count_;
    } else if (!streams_.empty()) {
      next.stream = streams_.front();
      streams_.erase(streams_.begin());
    }
    return next;
  }

 private:
  bool take() {
    if (count_ >= most_) return false;
    ++count_;
    return true;
  }

  const std::uint32_t most_;
  std::uint32_t count_ = 0;
  Fifo<std::uint32_t> nodes_;
  std::vector<std::uint32_t> streams_;
};

}  // namespace septet::gpu
