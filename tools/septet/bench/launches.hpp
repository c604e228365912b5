// Measures how fast kernel launches pass through the models: host threads launch small kernels
// round robin over streams and synchronise now and then; every launch costs its call, goes through
// a connection of the front end, has its blocks placed on SMs, ends, and is reported to the host.
#pragma once

#include <cstdint>

#include "scenarios/system/system.hpp"

namespace septet::command {

struct LaunchesOptions {
  std::uint64_t launches = 1'000'000;  // of all host threads together
  std::uint32_t streams = 8;           // of each host thread
  std::uint32_t host_threads = 1;      // of one process
  std::uint32_t blocks = 16;           // of each kernel
  std::uint64_t synchronize = 1'000;   // launches of a thread between two synchronisations
  bool rows = false;                   // keep the trace rows in memory, as `septet run` does
  Duration block_time = Duration(2 * kPicosecondsPerMicrosecond);
};

struct LaunchesReport {
  std::uint64_t launches = 0;
  double seconds = 0;      // of the run, without building program and system
  double cpu_seconds = 0;  // of the simulating thread; less than `seconds` on a busy machine
  double launches_per_s = 0;
  std::uint64_t events = 0;
  double events_per_s = 0;
  std::uint64_t digest = 0;
  Duration simulated{};  // time of the last event
};

// ConfigError where an option is out of its range.
LaunchesReport run_launches(const LaunchesOptions& options, const system::SystemSpec& system);

}  // namespace septet::command
