// One iteration of a segment's loop on an SM: what it takes and what limits it.
#include <algorithm>

#include "models/gpu/kernel/kernel_time.hpp"

namespace septet::gpu {
namespace {

constexpr double kMostlyFull =
    0.75;  // a resource in use for this fraction of the time is the limiter

double issued_by_warp(const program::Segment& segment) {
  double sum = 0;
  for (const double n : segment.instructions) sum += n;
  return sum;
}

// Cycles of the SM in one iteration, memory aside.
double compute_cycles(const KernelSpec& spec, const program::Segment& segment, const Busy& busy,
                      double warps, double life, CycleParts& parts) {
  double run = std::max(segment.chain_cycles, busy.cycles);
  if (!segment.batches.empty()) {
    const double serial = std::max(0.0, segment.chain_cycles - issued_by_warp(segment));
    run = std::max(segment.chain_cycles,
                   busy.cycles - hidden_issue(spec.issue, busy.cycles, warps) + serial);
  }
  run += life;
  parts.fetch = fetch_cycles(spec.fetch, segment, run);
  parts.issue = std::min(busy.cycles, run);
  parts.dependency = run - parts.issue;
  return run + parts.fetch;
}

struct Use {
  double cycles;
  Bottleneck what;
};

Bottleneck limiter_of(const Iteration& iteration, double compute) {
  const Use uses[] = {{iteration.load.dram, Bottleneck::kDram},
                      {iteration.load.l2, Bottleneck::kL2},
                      {iteration.load.port, Bottleneck::kSmPort},
                      {iteration.load.l1, Bottleneck::kL1},
                      {iteration.busy.cycles, iteration.busy.what}};
  const Use* top = std::max_element(std::begin(uses), std::end(uses),
                                    [](const Use& a, const Use& b) { return a.cycles < b.cycles; });
  if (top->cycles > kMostlyFull * iteration.cycles) return top->what;
  if (iteration.parts.fetch > kMostlyFull * iteration.cycles) return Bottleneck::kFetch;
  const double wait = iteration.cycles - compute;
  return wait > compute ? Bottleneck::kMemoryLatency : Bottleneck::kDependency;
}

}  // namespace

Iteration iteration_of(const GpuSpec& gpu, const program::Segment& segment, double warps_sm,
                       double warps_gpu, double life) {
  const KernelSpec& spec = gpu.kernel;
  Iteration iteration;
  iteration.busy = busy_cycles(spec, segment, warps_sm);
  const double compute =
      compute_cycles(spec, segment, iteration.busy, warps_sm, life, iteration.parts);
  iteration.cycles = compute;
  if (!segment.batches.empty()) {
    iteration.load = memory_load(spec.memory, gpu.clock, segment, compute, warps_sm, warps_gpu);
    iteration.cycles = period_alone(spec.memory, iteration.load);
    iteration.parts.memory = iteration.cycles - compute;
  }
  const double tensor = segment.async_tensor_cycles * warps_sm / spec.issue.schedulers;
  const double with_tensor = tensor + life;
  if (with_tensor > iteration.cycles) {
    iteration.busy = {tensor, Bottleneck::kPipe, program::Pipe::kTensor,
                      iteration.busy.issue_slots};
    iteration.parts = {tensor, life, 0, 0};
    iteration.cycles = with_tensor;
  }
  iteration.limiter = limiter_of(iteration, compute);
  return iteration;
}

double first_iteration_extra(const GpuSpec& gpu, const program::Segment& segment, double warps_gpu,
                             const Iteration& iteration) {
  if (segment.batches.empty()) return 0;
  const MemorySpec& memory = gpu.kernel.memory;
  const double alone = iteration.load.compute + iteration.load.latency +
                       read_burst_cycles(memory, gpu.clock, segment, warps_gpu) +
                       write_burst_cycles(memory, gpu.clock, segment, warps_gpu);
  return std::max(0.0, alone - iteration.cycles);
}

}  // namespace septet::gpu
