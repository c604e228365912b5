// How each recorded command is replayed so that its recorded start follows from dependencies and
// not from time stamps: when its launch reached the GPU, and which part of its start the
// dependencies leave unexplained.
//
// What they leave is a `hold`, a wait of its own, in these cases:
//   - it waited for SM resources: ready, but another stream's kernel occupied the SMs (more than
//     0.3 us);
//   - it started more than 5 us late for a reason that the recording does not show (counted): work
//     launched before the recording began, an event of a stream wait that names none, another
//     process or rank;
//   - the recording is simulated: there all waits are known, and what they leave is the model's own
//     (SM resources, a copy engine), except that a replay itself makes commands wait for
//     hardware connections and resident grids.
//
// A command's `work` is its recorded duration plus `lead` (time before its recorded start that
// belongs to it) plus `tail`. Lead is not zero in these cases only:
//   - it is a copy or memset node of a graph, whose gaps are longer than those of kernels;
//   - it overlapped the command before it (programmatic dependent launch): lead is negative, the
//     command starts when its predecessor ends and runs for what was left of it then.
#pragma once

#include <map>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/recorded/import/calibration.hpp"
#include "models/workload/recorded/import/event_waits.hpp"
#include "models/workload/recorded/import/launch_order.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

struct CommandPlan {
  program::Hold hold{};
  Duration lead{};
  Duration tail{};
  bool programmatic = false;
};

struct CommandPlans {
  std::vector<CommandPlan> commands;
  std::vector<Instant> submitted;  // by call: when its commands left for the GPU
  std::map<std::uint32_t, std::vector<program::GraphEdge>> edges;  // by call, of graph launches
};

// Adds the waits that it infers to `waits` and what it finds wrong to `index.anomalies`.
CommandPlans plan_commands(const RecordedTrace& trace, RecordingIndex& index,
                           const LaunchOrder& order, const RecordedLatencies& latencies,
                           EventWaits& waits);

Duration launch_latency(const RecordedLatencies& latencies, ApiKind api, RecordedKind kind);

}  // namespace septet::recorded
