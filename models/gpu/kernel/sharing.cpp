#include "models/gpu/kernel/sharing.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::gpu {
namespace {

const program::Segment& longest_segment(const GpuSpec& gpu, const program::InstructionWork& work,
                                        double warps_sm, double warps_gpu) {
  if (work.segments.size() == 1) return work.segments.front();
  const program::Segment* longest = nullptr;
  double most = -1;
  for (const program::Segment& segment : work.segments) {
    const double length = segment.repeat * iteration_of(gpu, segment, warps_sm, warps_gpu).cycles;
    if (length <= most) continue;
    most = length;
    longest = &segment;
  }
  return *longest;
}

// Blocks of the two stand on the same SMs.
bool meet(const Sharer& a, const Sharer& b) {
  if (a.group != b.group && a.group != 0 && b.group != 0) return false;
  return a.kernel->blocks + b.kernel->blocks > std::max(a.sms, b.sms);
}

BalancedLoad balanced(const MemorySpec& spec, const MemoryLoad& load, double left) {
  BalancedLoad out;
  out.base = std::max(1.0, load.compute / left + load.latency);
  out.queues = queues_of(spec, load);
  return out;
}

}  // namespace

SharedKernel shared_kernel(const GpuSpec& gpu, const program::LaunchShape& shape,
                           const program::InstructionWork& work, double blocks, double wanted) {
  const double warps = warps_for(shape.threads_per_block());
  const auto warps_sm = [&](double resident) { return std::ceil(resident / gpu.sm_count) * warps; };
  const program::Segment& segment = longest_segment(gpu, work, warps_sm(wanted), wanted * warps);
  const auto iteration_with = [&](double resident) {
    return iteration_of(gpu, segment, warps_sm(resident), resident * warps);
  };
  const Iteration iteration = iteration_with(blocks);
  SharedKernel out;
  out.blocks = blocks;
  out.alone = blocks < wanted ? iteration_with(wanted).cycles * blocks / wanted : iteration.cycles;
  out.busy_share = std::min(1.0, iteration.busy.cycles / iteration.cycles);
  out.load = iteration.load;
  if (segment.batches.empty()) out.load.compute = iteration.cycles;
  return out;
}

SharedKernel shared_kernel(const GpuSpec& gpu, const program::LaunchShape& shape,
                           const program::InstructionWork& work) {
  const Occupancy occupancy = occupancy_of(gpu.sm, shape);
  const double slots = static_cast<double>(occupancy.blocks_per_sm) * gpu.sm_count;
  const double blocks = std::min(static_cast<double>(shape.blocks()), slots);
  return shared_kernel(gpu, shape, work, blocks, blocks);
}

// Of the issue slots on the SMs of `sharer`.
double Sharing::taken_by_younger(const Sharer& sharer) const {
  double taken = 0;
  for (const Sharer& younger : younger_) {
    if (younger.kernel->busy_share > taken && meet(sharer, younger)) {
      taken = younger.kernel->busy_share;
    }
  }
  return taken;
}

void Sharing::add_younger(const Sharer& sharer) {
  const bool exceeded = std::any_of(younger_.begin(), younger_.end(), [&](const Sharer& other) {
    return other.group == sharer.group && other.sms == sharer.sms &&
           other.kernel->blocks >= sharer.kernel->blocks &&
           other.kernel->busy_share >= sharer.kernel->busy_share;
  });
  if (!exceeded) younger_.push_back(sharer);
}

std::size_t Sharing::load_of(const SharedKernel& kernel, double taken) {
  for (std::size_t i = 0; i < together_.size(); ++i) {
    if (together_[i].kernel != &kernel || together_[i].taken != taken) continue;
    ++loads_[i].count;
    return i;
  }
  const double least = gpu_.kernel.issue.leftover_issue;
  const double left = least + (1.0 - least) * std::pow(1.0 - taken, 3);
  together_.push_back({&kernel, taken});
  loads_.push_back(balanced(gpu_.kernel.memory, kernel.load, left));
  return loads_.size() - 1;
}

void Sharing::solve(std::vector<Sharer>& sharers) {
  together_.clear();
  loads_.clear();
  younger_.clear();
  load_by_sharer_.resize(sharers.size());
  for (std::size_t i = sharers.size(); i-- > 0;) {
    load_by_sharer_[i] = load_of(*sharers[i].kernel, taken_by_younger(sharers[i]));
    add_younger(sharers[i]);
  }
  balance_.solve(loads_);
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    const double period = loads_[load_by_sharer_[i]].period;
    sharers[i].slow_down = std::max(1.0, period / sharers[i].kernel->alone);
  }
}

}  // namespace septet::gpu
