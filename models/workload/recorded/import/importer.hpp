// Converts a recording into a Program that reproduces the recorded times when replayed unchanged:
// from dependencies and a few latencies, not from time stamps.
//
// Dependencies: the order of calls on a CPU thread; launch to command by correlation; the order of
// a stream; event record to wait; synchronisation back to the CPU; hand-offs between CPU threads;
// edges inside a graph launch. What the CPU did between calls becomes host work.
// Not found: dependencies on other ranks (a collective's wait is part of its recorded duration),
// waits that did not show in the times where the profiler wrote no synchronisation records.
//
// How the Program is meant to be executed (latencies: calibration.hpp):
//   - a command leaves for the GPU when its call has cost `cost`; it starts at the latest of that
//     plus the launch latency, the end of the command before on its stream plus the stream gap, and
//     the events it waits for plus the stream gap; a programmatic one at the end of the command
//     before. It runs for `work`.
//   - graph nodes start a node gap after the last node they follow; roots as a command does, with
//     the graph's own latency and gap; the next command of the stream follows all nodes.
//   - a call that waits returns at the later of its cost and the awaited end plus the wake latency.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/program.hpp"
#include "models/workload/recorded/import/calibration.hpp"
#include "models/workload/recorded/import/steps.hpp"
#include "models/workload/recorded/recording/recorded_trace.hpp"

namespace septet::recorded {

struct ImportOptions {
  std::uint32_t ring_capacity = 1024;          // launches that may be pending before the CPU blocks
  std::optional<RecordedLatencies> latencies;  // instead of those measured from the recording
};

// Where a recorded GPU command is in the Program, and how it ran in the recording.
struct RecordedRow {
  std::uint32_t thread = 0;  // Program's
  std::uint32_t call = 0;
  std::uint32_t node = kNone;  // of a graph launch
  std::uint32_t stream = 0;
  std::uint32_t device = 0;
  std::uint32_t step = 0;
  std::uint32_t event = 0;  // in the RecordedTrace
  std::optional<program::CollectiveOp> collective;
  std::uint64_t group = 0;  // collectives: equal for the same group of ranks; 0: not recorded
  Instant start;            // from the window's beginning
  Duration duration{};
  // The replayed command begins this much before the recorded start (after it, when negative): see
  // command_plan.hpp. Compare the replayed start plus `lead` with `start`.
  Duration lead{};
};

struct Import {
  program::Program program;
  RecordedLatencies latencies;
  std::vector<RecordedRow> rows;  // one for each GPU command, by recorded start
  Duration measured{};            // from the first API call or GPU activity to the end of the last
  std::vector<Step> steps;
  // Launches of one and the same graph have a Graph each, since durations differ: the first Graph
  // with the same nodes and edges, by Graph.
  std::vector<std::uint32_t> graph_identity;
  Counts anomalies;  // of the import; RecordedTrace has the reader's
};

// Throws ConfigError when the recording has no GPU work.
Import import_recording(const RecordedTrace& trace, const ImportOptions& options = {});

}  // namespace septet::recorded
