// What a profiler costs the CPU: it slows the threads that it records, not the GPU. Fitted to steps
// timed with and without it (data/profilers).
#pragma once

#include "core/base/quantity.hpp"

namespace septet::whatif {

struct ProfilerCosts {
  Duration call{};        // of each recorded API call
  Duration op{};          // of each recorded operator or annotation
  Duration per_launch{};  // of each launch, for operators that the recording no longer has

  bool any() const { return call > Duration(0) || op > Duration(0); }
};

}  // namespace septet::whatif
