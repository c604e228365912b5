// One turn of a segment's loop on an SM: what it takes and what limits it.
#include <algorithm>

#include "models/gpu/kernel/kernel_time.hpp"

namespace septet::gpu {
namespace {

constexpr double kMostlyFull = 0.75;  // a resource in use so much of the time is the limiter

double issued_by_warp(const program::Segment& segment) {
  double sum = 0;
  for (const double n : segment.instructions) sum += n;
  return sum;
}

// Cycles of the SM in one turn, memory aside.
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

Bottleneck limiter_of(const Turn& turn, double compute) {
  const Use uses[] = {{turn.load.dram, Bottleneck::kDram},
                      {turn.load.l2, Bottleneck::kL2},
                      {turn.load.port, Bottleneck::kSmPort},
                      {turn.load.l1, Bottleneck::kL1},
                      {turn.busy.cycles, turn.busy.what}};
  const Use* top = std::max_element(std::begin(uses), std::end(uses),
                                    [](const Use& a, const Use& b) { return a.cycles < b.cycles; });
  if (top->cycles > kMostlyFull * turn.cycles) return top->what;
  if (turn.parts.fetch > kMostlyFull * turn.cycles) return Bottleneck::kFetch;
  const double wait = turn.cycles - compute;
  return wait > compute ? Bottleneck::kMemoryLatency : Bottleneck::kDependency;
}

}  // namespace

Turn turn_of(const GpuSpec& gpu, const program::Segment& segment, double warps_sm, double warps_gpu,
             double life) {
  const KernelSpec& spec = gpu.kernel;
  Turn turn;
  turn.busy = busy_cycles(spec, segment, warps_sm);
  const double compute = compute_cycles(spec, segment, turn.busy, warps_sm, life, turn.parts);
  turn.cycles = compute;
  if (!segment.batches.empty()) {
    turn.load = memory_load(spec.memory, gpu.clock, segment, compute, warps_sm, warps_gpu);
    turn.cycles = period_alone(spec.memory, turn.load);
    turn.parts.memory = turn.cycles - compute;
  }
  const double tensor = segment.async_tensor_cycles * warps_sm / spec.issue.schedulers;
  const double with_tensor = tensor + life;
  if (with_tensor > turn.cycles) {
    turn.busy = {tensor, Bottleneck::kPipe, program::Pipe::kTensor, turn.busy.issue_slots};
    turn.parts = {tensor, life, 0, 0};
    turn.cycles = with_tensor;
  }
  turn.limiter = limiter_of(turn, compute);
  return turn;
}

double first_turn_extra(const GpuSpec& gpu, const program::Segment& segment, double warps_gpu,
                        const Turn& turn) {
  if (segment.batches.empty()) return 0;
  const MemorySpec& memory = gpu.kernel.memory;
  const double alone = turn.load.compute + turn.load.latency +
                       read_burst_cycles(memory, gpu.clock, segment, warps_gpu) +
                       write_burst_cycles(memory, gpu.clock, segment, warps_gpu);
  return std::max(0.0, alone - turn.cycles);
}

}  // namespace septet::gpu
