// Builds a model from LPs and runs it, sequentially or in parallel, with the same result.
//
// Parallel runs use conservative windows: every partition handles its events up to the smallest
// time at which any partition could send something to another, then partitions exchange what they
// sent. The smallest such time follows from the next event of each group, the earliest output times
// that its LPs state and the lookahead of its channels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/engine/logical_process.hpp"

namespace septet::engine {

// LPs of one group are never split over partitions (for example the host and GPUs of a node).
using GroupId = std::uint32_t;

struct RunOptions {
  unsigned threads = 1;
  unsigned partitions = 0;  // 0: chosen from the number of groups and threads
  std::uint64_t seed = 1;
  Instant end = Instant::max();  // events at or after `end` are not handled
  trace::RowSink* rows = nullptr;
};

struct RunResult {
  std::uint64_t events = 0;   // committed events
  std::uint64_t digest = 0;   // of all committed events; equal for any threads and partitions
  std::uint64_t windows = 0;  // 1 for a sequential run
  Instant last;               // time of the last event
};

class Simulation {
 public:
  Simulation();
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Ids count from 0 in the order of the calls. `name` appears in errors.
  LpId add(std::unique_ptr<LogicalProcess> lp, GroupId group, std::string_view name = {});
  LogicalProcess& lp(LpId id);

  // Lets `from` send to `to` with delays of at least `lookahead`, which must be positive where the
  // two are in different groups. Asserts that both exist.
  void connect(LpId from, LpId to, Duration lookahead);

  // Lets every LP send to every other one with at least this delay (instead of channels).
  void connect_all(Duration lookahead);

  // Runs until no event is left or `end`. Once per Simulation. An exception of a handler ends the
  // run and is thrown on; of several, the one of the event that comes first in the order.
  RunResult run(const RunOptions& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace septet::engine
