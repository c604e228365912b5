#include "models/gpu/kernel/kernel_time.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::gpu {
namespace {

constexpr double kFewIterations = 4;   // blocks with this few iterations drift apart
constexpr double kDispatchBlend = 16;  // how sharply dispatch takes over from the blocks' own time

Duration of_cycles(double cycles, Frequency clock) {
  return from_picoseconds(cycles / clock.count() * kPicosecondsPerSecond);
}

double to_cycles(Duration time, Frequency clock) { return to_seconds(time) * clock.count(); }

// Adds up what a kernel's waves take.
class Composer {
 public:
  Composer(const GpuSpec& gpu, const program::LaunchShape& shape,
           const program::InstructionWork& work)
      : gpu_(gpu),
        shape_(shape),
        work_(work),
        occupancy_(occupancy_of(gpu.sm, shape)),
        warps_(occupancy_.warps_per_block),
        blocks_(static_cast<double>(shape.blocks())),
        slots_(static_cast<double>(occupancy_.blocks_per_sm) * gpu.sm_count) {}

  KernelTime run() {
    compose();
    if (blocks_ > slots_ && blocks_ < 2 * slots_) return at_least_one_wave(result());
    return result();
  }

 private:
  void compose() {
    dispatch_ = blocks_ * to_cycles(gpu_.block_scheduler.block_interval, gpu_.clock);
    if (blocks_ <= slots_) {
      total_ = wave(blocks_, work_.wave_cycles, 1, dispatch_);
      parts_.memory += work_.wave_cycles;
    } else if (few_iterations()) {
      drifting();
    } else {
      whole_waves();
    }
  }

  // A larger grid takes at least as long as one that just fits: the two approximations don't join
  // exactly.
  KernelTime at_least_one_wave(const KernelTime& own) const {
    program::LaunchShape fitting = shape_;
    fitting.grid = {static_cast<std::uint32_t>(slots_), 1, 1};
    KernelTime least = Composer(gpu_, fitting, work_).run();
    if (own.total >= least.total) return own;
    least.waves = own.waves;
    least.dram_bytes = own.dram_bytes;
    return least;
  }

  bool few_iterations() const {
    return std::all_of(work_.segments.begin(), work_.segments.end(),
                       [](const program::Segment& s) { return s.repeat <= kFewIterations; });
  }

  // Cycles of one wave of `blocks` blocks, which occurs `times` times. `dispatch`: the start of the
  // blocks, which overlaps the extra time of their first loads.
  double wave(double blocks, double life, double times, double dispatch) {
    const double warps_sm = std::ceil(blocks / gpu_.sm_count) * warps_;
    const double warps_gpu = blocks * warps_;
    double sum = life;
    for (const program::Segment& segment : work_.segments) {
      const Iteration iteration = iteration_of(gpu_, segment, warps_sm, warps_gpu);
      const double extra = first_iteration_extra(gpu_, segment, warps_gpu, iteration);
      account(iteration, segment.repeat * times, warps_gpu, segment);
      parts_.memory += extra * times;
      dispatch_part_ += std::max(0.0, dispatch - extra) * times;
      sum += iteration.cycles * segment.repeat + std::max(extra, dispatch);
      dispatch = 0;
    }
    return sum;
  }

  void account(const Iteration& iteration, double count, double warps_gpu,
               const program::Segment& segment) {
    parts_ += iteration.parts * count;
    const double cycles = iteration.cycles * count;
    if (cycles > longest_) {
      longest_ = cycles;
      limiter_ = iteration.limiter;
      pipe_ = iteration.busy.pipe;
    }
    used_.dram += iteration.load.dram * count;
    used_.l2 += iteration.load.l2 * count;
    used_.port += iteration.load.port * count;
    used_.l1 += iteration.load.l1 * count;
    issued_ += iteration.busy.issue_slots * count;
    dram_bytes_ += count * dram_bytes(segment, warps_gpu);
  }

  // Blocks with few iterations drift apart: one iteration stands for a whole block.
  void drifting() {
    const program::Segment block = merged();
    const double life = work_.wave_cycles + turnover(block);
    const double warps_gpu = slots_ * warps_;
    const double warps_sm = static_cast<double>(occupancy_.blocks_per_sm) * warps_;
    const Iteration iteration = iteration_of(gpu_, block, warps_sm, warps_gpu, life);
    Iteration bare = iteration;
    bare.cycles -= life;
    bare.load.compute -= life;
    const double extra = first_iteration_extra(gpu_, block, warps_gpu, bare);
    const double times = blocks_ >= 2 * slots_ ? blocks_ / slots_
                                               : std::ceil(blocks_ / gpu_.sm_count) /
                                                     static_cast<double>(occupancy_.blocks_per_sm);
    account(iteration, times, warps_gpu, block);
    parts_.memory += extra;
    const double own = iteration.cycles * times + extra + work_.once_cycles;
    if (dispatch_ > own) limiter_ = Bottleneck::kDispatch;
    total_ = std::pow(std::pow(own, kDispatchBlend) + std::pow(dispatch_, kDispatchBlend),
                      1.0 / kDispatchBlend) -
             work_.once_cycles;
    dispatch_part_ = total_ + work_.once_cycles - own;
    // If issue was hidden behind latency, part of the block's start and end hid the rest of it.
    const double chain = std::min(parts_.dependency, life * times);
    parts_.dependency -= chain;
    parts_.issue -= std::min(parts_.issue, life * times - chain);
    creation_ += life * times;
  }

  void whole_waves() {
    const BlockSchedulerSpec& spec = gpu_.block_scheduler;
    const double life = to_cycles(spec.block_overhead, gpu_.clock) +
                        to_cycles(spec.block_overhead_per_warp, gpu_.clock) * warps_ +
                        work_.wave_cycles;
    const double full = std::floor(blocks_ / slots_);
    const double rest = blocks_ - full * slots_;
    double own = full * wave(slots_, life, full, 0);
    if (rest > 0) own += wave(rest, life, 1, 0);
    creation_ += life * (rest > 0 ? full + 1 : full);
    if (dispatch_ > own) limiter_ = Bottleneck::kDispatch;
    total_ = std::max(own, dispatch_);
    dispatch_part_ = total_ - own;
  }

  program::Segment merged() const {
    program::Segment out;
    for (const program::Segment& s : work_.segments) {
      for (std::size_t p = 0; p < kEnumSize<program::Pipe>; ++p) {
        out.instructions[p] += s.instructions[p] * s.repeat;
        out.bank_conflicts[p] += s.bank_conflicts[p] * s.repeat;
      }
      out.chain_cycles += s.chain_cycles * s.repeat;
      out.shared_wavefronts += s.shared_wavefronts * s.repeat;
      out.async_tensor_cycles += s.async_tensor_cycles * s.repeat;
      out.code_bytes += s.code_bytes;
      for (const program::MemoryBatch& batch : s.batches) {
        out.batches.push_back(batch);
        out.batches.back().times *= s.repeat;
      }
    }
    return out;
  }

  // A block's resources become free when its slowest warp ends.
  double turnover(const program::Segment& block) const {
    const BlockLifeSpec& life = gpu_.kernel.block;
    const bool loads = std::any_of(block.batches.begin(), block.batches.end(),
                                   [](const program::MemoryBatch& b) { return !b.write; });
    const double slowest =
        loads ? gpu_.kernel.memory.dram_spread_cycles * expected_largest(warps_) : 0.0;
    return life.turnover_cycles + life.turnover_cycles_per_warp * warps_ + slowest;
  }

  KernelTime result() const {
    KernelTime out;
    const double total = total_ + work_.once_cycles;
    constexpr double kLongest = 1e6;
    if (!(total / gpu_.clock.count() < kLongest)) {
      throw ModelError(
          fmt::format("a kernel of {:.3g} s, more than the limit of the kernel model of {:.3g} s",
                      total / gpu_.clock.count(), kLongest));
    }
    out.creation = gpu_.kernel.block.ramp + of_cycles(creation_, gpu_.clock);
    out.total = gpu_.kernel.block.ramp + of_cycles(total, gpu_.clock);
    out.dispatch = of_cycles(std::max(0.0, dispatch_part_), gpu_.clock);
    out.fetch = of_cycles(parts_.fetch + work_.once_cycles, gpu_.clock);
    out.issue = of_cycles(parts_.issue, gpu_.clock);
    out.memory = of_cycles(parts_.memory, gpu_.clock);
    const Duration rest =
        out.total - out.creation - out.dispatch - out.fetch - out.issue - out.memory;
    out.dependency = std::max(rest, Duration(0));
    // A few picoseconds too many, from rounding.
    (out.issue > out.memory ? out.issue : out.memory) += std::min(rest, Duration(0));
    out.limiter = limiter_;
    const bool dispatched = limiter_ == Bottleneck::kDispatch;
    if (work_.once_cycles > longest_ && !dispatched) out.limiter = Bottleneck::kFetch;
    out.pipe = pipe_;
    out.waves = blocks_ / slots_;
    out.blocks_per_sm = occupancy_.blocks_per_sm;
    const double all = std::max(1.0, total);
    out.use = {used_.dram / all, used_.l2 / all, used_.port / all, used_.l1 / all};
    out.issue_use = issued_ / all;
    out.dram_bytes = dram_bytes_;
    return out;
  }

  const GpuSpec& gpu_;
  const program::LaunchShape& shape_;
  const program::InstructionWork& work_;
  const Occupancy occupancy_;
  const double warps_;
  const double blocks_;
  const double slots_;
  double total_ = 0;
  double dispatch_ = 0;
  double dispatch_part_ = 0;
  double creation_ = 0;
  double longest_ = 0;
  double issued_ = 0;
  double dram_bytes_ = 0;
  CycleParts parts_;
  Utilization used_;
  Bottleneck limiter_ = Bottleneck::kIssue;
  program::Pipe pipe_ = program::Pipe::kOther;
};

}  // namespace

KernelTime kernel_time(const GpuSpec& gpu, const program::LaunchShape& shape,
                       const program::InstructionWork& work) {
  return Composer(gpu, shape, work).run();
}

}  // namespace septet::gpu
