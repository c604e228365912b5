// The system on which a recording is replayed: a profile's system with the few latencies that the
// recording itself shows (models/workload/recorded/calibration.hpp) in place of the profile's.
//
// The CPU costs of recorded calls are part of the Program and contain whatever the threads did to
// each other, so the driver lock is not modelled again.
#pragma once

#include "models/workload/recorded/import/calibration.hpp"
#include "scenarios/system/system.hpp"

namespace septet::replay {

system::SystemSpec recorded_system(const system::SystemSpec& profile,
                                   const recorded::RecordedLatencies& latencies);

}  // namespace septet::replay
