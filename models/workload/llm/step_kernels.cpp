#include "models/workload/llm/step_kernels.hpp"

namespace septet::llm {
namespace {

using transformer::StepOperator;
using transformer::StepPart;

// Of each kernel, beyond the gap before a node of a graph.
Duration cold_start(const gpu::GpuSpec& gpu) {
  const gpu::CallSpec& call = gpu.operators.call;
  return call.node_gap + call.cold_start - gpu.front_end.graph_node_gap;
}

Duration kernel_time(const gpu::GpuSpec& gpu, const StepOperator& one, Duration alone) {
  const gpu::CallSpec& call = gpu.operators.call;
  return alone + cold_start(gpu) + (call.node_gap + call.cold_start) * (one.nodes - 1);
}

TimedKernel timed(const gpu::GpuSpec& gpu, const StepOperator& one, const ExchangeTime& exchange,
                  const gpu::OperatorTime& time) {
  TimedKernel out;
  out.name = one.name;
  out.time = kernel_time(gpu, one, time.time);
  out.shape = time.shape;
  out.then = one.then;
  if (one.then.any()) out.exchange = exchange(one.then);
  return out;
}

// All of it at one clock; `out` takes the kernels.
gpu::OperatorTime sum_at(const gpu::GpuSpec& gpu, const std::vector<StepPart>& parts,
                         const ExchangeTime& exchange, Frequency clock, TimedStep& out) {
  gpu::OperatorTime sum;
  sum.clock = clock;
  Duration longest{};
  out.parts.clear();
  for (const StepPart& part : parts) {
    TimedPart& kernels = out.parts.emplace_back();
    kernels.times = part.times;
    for (const StepOperator& one : part.operators) {
      const gpu::OperatorTime time = one.at(clock);
      const TimedKernel& kernel = kernels.kernels.emplace_back(timed(gpu, one, exchange, time));
      const auto times = static_cast<std::int64_t>(part.times);
      sum.time += (kernel.time + kernel.exchange) * times;
      add(time.activity, static_cast<double>(part.times), sum.activity);
      if (kernel.time * times <= longest) continue;
      longest = kernel.time * times;
      sum.limiter = time.limiter;
    }
  }
  return sum;
}

}  // namespace

TimedStep timed_step(const gpu::GpuSpec& gpu, const std::vector<StepPart>& parts,
                     const ExchangeTime& exchange, const program::LoadHistory& load) {
  TimedStep out;
  const gpu::OperatorTime time = gpu::under_load(
      gpu, [&](Frequency clock) { return sum_at(gpu, parts, exchange, clock, out); }, load);
  out.clock = time.clock;
  out.activity = time.activity;
  out.limiter = time.limiter;
  return out;
}

}  // namespace septet::llm
