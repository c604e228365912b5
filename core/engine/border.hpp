// The processes of one partition that can send out of their group, and how soon what they send can
// arrive elsewhere. From these follows how far other partitions may go.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/engine/model.hpp"

namespace septet {

// t + d, where `Duration::max()` and `Instant::max()` mean "never".
constexpr Instant add_or_never(Instant t, Duration d) {
  return d >= Instant::max() - t ? Instant::max() : t + d;
}

// What other partitions must know of one before they go on.
struct Outlook {
  Instant next = Instant::max();    // its first pending event
  Instant output = Instant::max();  // before this nothing that it sends arrives elsewhere

  void include(const Outlook& other) {
    next = std::min(next, other.next);
    output = std::min(output, other.output);
  }
};

struct BorderProcess {
  ProcessId process = 0;
  Duration to_groups = Channels::kNoChannel;      // smallest lookahead to another group
  Duration to_partitions = Channels::kNoChannel;  // smallest lookahead to another partition
};

// Those of `members`, which are all processes of one partition.
std::vector<BorderProcess> find_border(const Model& model, std::span<const ProcessId> members);

// The smallest lookahead of anything that leaves the partition.
Duration smallest_lookahead(const std::vector<BorderProcess>& border);

}  // namespace septet
