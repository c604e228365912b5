// What is simulated: processes and their channels. Shared by all partitions; while a run is under
// way only the records of processes change, each by the thread that runs its partition.
#pragma once

#include "core/engine/channels.hpp"
#include "core/engine/process_table.hpp"

namespace septet {

struct Model {
  ProcessTable processes;
  Channels channels;

  bool same_group(ProcessId x, ProcessId y) const {
    return processes.group(x) == processes.group(y);
  }
};

}  // namespace septet
