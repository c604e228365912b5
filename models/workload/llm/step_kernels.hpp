// The operators of a step with their times at the clock that the step sustains.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/workload/transformer/step_operator.hpp"

namespace septet::llm {

// Time of one exchange of a group on an idle network, regardless of what precedes it.
using ExchangeTime = std::function<Duration(const transformer::Exchange&)>;

struct TimedKernel {
  std::string name;
  Duration time{};  // of its kernels; of several the gaps between them as well
  program::LaunchShape shape{};
  transformer::Exchange then{};
  Duration exchange{};
};

struct TimedPart {
  std::vector<TimedKernel> kernels;
  std::uint64_t times = 1;
};

struct TimedStep {
  std::vector<TimedPart> parts;
  Frequency clock{};
  gpu::Activity activity;                                     // of the whole step, for its energy
  gpu::Bottleneck limiter = gpu::Bottleneck::kMemoryLatency;  // of what takes longest
};

// A kernel among others finds its code and its parameters in the L2 cache alone, and starts later
// behind the one before than an empty node does: both are part of its time here.
TimedStep timed_step(const gpu::GpuSpec& gpu, const std::vector<transformer::StepPart>& parts,
                     const ExchangeTime& exchange, const program::LoadHistory& load);

}  // namespace septet::llm
