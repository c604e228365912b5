// Writes the Program of a recording from the plans made for it.
#pragma once

#include "models/workload/recorded/import/command_plan.hpp"
#include "models/workload/recorded/import/event_waits.hpp"
#include "models/workload/recorded/import/hand_offs.hpp"
#include "models/workload/recorded/import/host_plan.hpp"
#include "models/workload/recorded/import/host_scopes.hpp"
#include "models/workload/recorded/import/importer.hpp"
#include "models/workload/recorded/import/recording_index.hpp"

namespace septet::recorded {

struct ImportPlans {
  RecordingIndex index;
  EventWaits waits;
  CommandPlans commands;
  std::vector<CallPlan> calls;
  std::vector<HandOff> hand_offs;
  std::vector<std::vector<ScopeEdge>> scopes;  // by RecordedTrace thread
};

// Fills in program, rows and graph_identity; reads latencies and steps.
void write_program(const RecordedTrace& trace, const ImportPlans& plans, Import& import);

}  // namespace septet::recorded
