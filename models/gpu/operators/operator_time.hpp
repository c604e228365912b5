// The time of an operator, and the clock that its own load pulls down.
#pragma once

#include <functional>
#include <initializer_list>

#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/kernel/issue.hpp"
#include "models/gpu/power/power.hpp"
#include "models/program/kernel.hpp"

namespace septet {

struct OperatorTime {
  Duration time{};
  Frequency clock{};
  Activity activity;  // for its power
  Bottleneck limiter = Bottleneck::kMemoryLatency;
};

// How long the GPU has been under the operator's load when it is timed.
struct LoadHistory {
  Duration before{};    // whatever the call's own time
  double calls = 0;     // and so many calls
  bool steady = false;  // so long that the clock has settled
};

// `at(clock)` at the clock that this history leaves.
OperatorTime under_load(const GpuSpec& gpu, const std::function<OperatorTime(Frequency)>& at,
                        const LoadHistory& history);

// A kernel described by its instructions, alone and at full clock (models/gpu/kernel).
OperatorTime described_time(const GpuSpec& gpu, const Kernel& kernel);

// (sum x^norm)^(1 / norm): the largest, softened where others come close. 0 where all are.
double soft_largest(std::initializer_list<double> values, double norm);

}  // namespace septet
