// Hold: the standard benchmark of a pending-event set. A fixed number of events is pending; each
// hold operation takes the first one and reinserts it a random time later.
//
// D. W. Jones, "An empirical comparison of priority-queue and event-set implementations",
// CACM 29(4), 1986. Increments are lookahead + Exp(mean - lookahead), as in PHOLD, taken from a
// table, so that time goes into the queue and not into random numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::command {

struct HoldOptions {
  std::uint64_t size = 10'240;      // pending events
  std::uint64_t holds = 5'000'000;  // measured, after a warm-up of a few times `size`
  Duration mean = Duration(2 * kPicosecondsPerMicrosecond);
  Duration lookahead = Duration(1 * kPicosecondsPerMicrosecond);
  std::uint64_t seed = 1;
};

struct HoldReport {
  struct Queue {
    std::string name;
    double holds_per_s = 0;
    std::uint64_t digest = 0;  // of the events in the order in which they were taken
  };
  std::vector<Queue> queues;
};

// ConfigError where an option is out of its range.
HoldReport run_hold(const HoldOptions& options);

}  // namespace septet::command
