#include "models/workload/recorded/import/importer.hpp"

#include "models/workload/recorded/import/program_writer.hpp"

namespace septet::recorded {
namespace {

void count_calls_and_orphans(RecordingIndex& index) {
  for (const GpuCommand& command : index.commands) {
    if (command.call == kNone) ++index.anomalies["GPU work without its launch call"];
  }
  for (const HostCall& call : index.calls) {
    if (!call.commands.empty()) continue;
    if (call.api == ApiKind::kLaunch || call.api == ApiKind::kLaunchGraph) {
      ++index.anomalies["launch calls without GPU work"];
    }
  }
}

void count_waits(const EventWaits& waits, RecordingIndex& index) {
  std::uint64_t unknown = 0;
  for (std::uint32_t c = 0; c < index.calls.size(); ++c) {
    if (index.calls[c].api == ApiKind::kWaitEvent && !waits.waits.contains(c)) ++unknown;
  }
  if (unknown > 0) index.anomalies["stream waits whose stream or event is unknown"] = unknown;
}

}  // namespace

Import import_recording(const RecordedTrace& trace, const ImportOptions& options) {
  ImportPlans plans;
  plans.index = index_recording(trace);
  count_calls_and_orphans(plans.index);
  const LaunchOrder order(plans.index);
  Import import;
  plans.waits = read_event_waits(trace, plans.index);
  import.latencies =
      options.latencies ? *options.latencies : calibrate(trace, plans.index, order, plans.waits);
  import.steps = find_steps(trace, plans.index);
  import.measured = plans.index.end - Instant{};
  plans.commands = plan_commands(trace, plans.index, order, import.latencies, plans.waits);
  count_waits(plans.waits, plans.index);
  plans.calls =
      plan_calls(trace, plans.index, order, plans.commands, plans.waits, options.ring_capacity);
  plans.hand_offs = find_hand_offs(trace, plans.index);
  plans.scopes = find_scopes(trace, plans.index);
  write_program(trace, plans, import);
  import.anomalies = plans.index.anomalies;
  return import;
}

}  // namespace septet::recorded
