// GPU work whose launch call is not in the recording, usually because it was launched before the
// recording began.
//
// A thread `before the recording` launches it: at once where it ran back to back on its stream
// (launch_orphans in recording_index.hpp), else after host work that stands for the recorded pause.
#pragma once

#include "models/workload/recorded/import/program_objects.hpp"
#include "models/workload/recorded/import/program_writer.hpp"

namespace septet::recorded {

// Adds the thread only if there are orphans.
void write_orphans(const RecordedTrace& trace, const ImportPlans& plans, ProgramObjects& objects,
                   Import& import);

}  // namespace septet::recorded
