// The system on which a recording is replayed: a profile's system in which the few latencies
// measured in the recording (models/workload/recorded/import/calibration.hpp) replace the
// profile's.
//
// The CPU costs of recorded calls are part of the Program and include contention between threads,
// so the driver lock is not modelled again.
#pragma once

#include "models/workload/recorded/import/calibration.hpp"
#include "scenarios/system/system.hpp"

namespace septet::replay {

system::SystemSpec recorded_system(const system::SystemSpec& profile,
                                   const recorded::RecordedLatencies& latencies);

}  // namespace septet::replay
