// A load like that of a cluster: GPUs that run kernel after kernel and send nothing meanwhile.
//
// Each LP stands for a GPU in a group of its own. Its kernels have exponentially distributed times;
// within one it has local events at a steady rate, like cohorts of blocks, and declares that it
// sends nothing before the end. At the end it sends one message to another GPU and starts the next
// kernel. So nearly all events are local, few are pending, and the width of a window follows from
// dynamic lookahead.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"
#include "tools/septet/bench/engine_report.hpp"

namespace septet::command {

struct ClusterOptions {
  std::uint32_t gpus = 16'384;
  Duration kernel = Duration(100 * kPicosecondsPerMicrosecond);  // mean
  Duration step = Duration(5 * kPicosecondsPerMicrosecond);      // between events of a kernel
  Duration lookahead = Duration(2 * kPicosecondsPerMicrosecond);
  Duration end = Duration(1'000 * kPicosecondsPerMicrosecond);
  bool dynamic_lookahead = true;
  unsigned threads = 1;
  unsigned partitions = 0;  // 0: chosen by the engine
  std::uint64_t seed = 1;
};

// ConfigError where an option is out of its range.
EngineReport run_cluster(const ClusterOptions& options);

}  // namespace septet::command
