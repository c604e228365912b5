// The LPs of one partition that can send out of their group, and how soon their events can arrive
// elsewhere. This determines how far other partitions may advance.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/engine/model.hpp"

namespace septet::engine {

// t + d, where `Duration::max()` and `Instant::max()` mean "never".
constexpr Instant add_or_never(Instant t, Duration d) {
  return d >= Instant::max() - t ? Instant::max() : t + d;
}

// What other partitions must know about one before they continue.
struct TimestampBounds {
  Instant next_event = Instant::max();       // its first pending event
  Instant earliest_output = Instant::max();  // nothing that it sends arrives elsewhere before

  void include(const TimestampBounds& other) {
    next_event = std::min(next_event, other.next_event);
    earliest_output = std::min(earliest_output, other.earliest_output);
  }
};

struct BoundaryLp {
  LpId id = 0;
  Duration to_groups = Channels::kNoChannel;      // smallest lookahead to another group
  Duration to_partitions = Channels::kNoChannel;  // smallest lookahead to another partition
};

// Those of `members`, which are all LPs of one partition.
std::vector<BoundaryLp> partition_boundary(const Model& model, std::span<const LpId> members);

// The smallest lookahead of anything that leaves the partition.
Duration smallest_lookahead(const std::vector<BoundaryLp>& boundary);

}  // namespace septet::engine
