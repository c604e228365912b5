// PHOLD: the standard synthetic benchmark of parallel simulators. A fixed number of events hops
// among LPs; each event that is handled schedules one, for the LP itself or for another one.
//
// R. M. Fujimoto, "Performance of Time Warp under synthetic workloads", SCS Distributed Simulation
// Conference, 1990. Increments are lookahead + Exp(mean - lookahead).
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"
#include "tools/septet/bench/engine_report.hpp"

namespace septet::command {

struct PholdOptions {
  std::uint32_t lps = 10'240;
  std::uint32_t events_per_lp = 1;  // pending at any time, on average
  double remote = 0.25;             // share of events for another LP
  Duration mean = Duration(2 * kPicosecondsPerMicrosecond);
  Duration lookahead = Duration(1 * kPicosecondsPerMicrosecond);
  Duration end = Duration(100 * kPicosecondsPerMicrosecond);
  unsigned threads = 1;
  unsigned partitions = 0;  // 0: chosen by the engine
  std::uint64_t seed = 1;
};

// ConfigError where an option is out of its range.
EngineReport run_phold(const PholdOptions& options);

}  // namespace septet::command
