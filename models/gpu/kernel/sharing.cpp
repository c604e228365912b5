#include "models/gpu/kernel/sharing.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/occupancy/occupancy.hpp"

namespace septet {
namespace {

constexpr double kFull = 0.99;

// Periods of the loads at a given use of DRAM and L2. The ports belong to each kernel's own SMs.
std::vector<double> periods_at(const MemorySpec& spec, const std::vector<MemoryLoad>& loads,
                               const Utilisation& use) {
  constexpr int kSweeps = 8;
  std::vector<double> out;
  for (const MemoryLoad& load : loads) {
    const double least = std::max({load.compute + load.latency, load.port, load.l1, 1.0});
    double period = least;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      const Utilisation own{use.dram, use.l2, std::min(kFull, load.port / period),
                            std::min(kFull, load.l1 / period)};
      period = std::max(least, load.compute + load.latency + queue_wait(spec, load, own));
    }
    out.push_back(period);
  }
  return out;
}

double total_use(const std::vector<MemoryLoad>& loads, const std::vector<double>& periods,
                 double MemoryLoad::*resource) {
  double sum = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) sum += loads[i].*resource / periods[i];
  return sum;
}

// Use of one resource such that the loads, slowed by it, use just that much.
void settle(const MemorySpec& spec, const std::vector<MemoryLoad>& loads,
            double MemoryLoad::*resource, double Utilisation::*member, Utilisation& use) {
  constexpr int kSteps = 30;
  double low = 0;
  double high = 0.99999;
  for (int step = 0; step < kSteps; ++step) {
    use.*member = 0.5 * (low + high);
    const bool more = total_use(loads, periods_at(spec, loads, use), resource) > use.*member;
    (more ? low : high) = use.*member;
  }
}

std::vector<double> periods_together(const MemorySpec& spec, const std::vector<MemoryLoad>& loads) {
  constexpr int kRounds = 4;
  Utilisation use;
  for (int round = 0; round < kRounds; ++round) {
    settle(spec, loads, &MemoryLoad::dram, &Utilisation::dram, use);
    settle(spec, loads, &MemoryLoad::l2, &Utilisation::l2, use);
  }
  return periods_at(spec, loads, use);
}

// Issue slots that younger kernels on the same SMs leave to kernel `older`.
double leftover(const GpuSpec& gpu, const std::vector<SharedKernel>& kernels, std::size_t older) {
  double taken = 0;
  for (std::size_t younger = older + 1; younger < kernels.size(); ++younger) {
    const bool meet = kernels[older].blocks + kernels[younger].blocks > gpu.sm_count;
    if (meet) taken = std::max(taken, kernels[younger].busy_share);
  }
  const double least = gpu.kernel.issue.leftover_issue;
  return least + (1.0 - least) * std::pow(1.0 - taken, 3);
}

const Segment& longest_segment(const GpuSpec& gpu, const InstructionWork& work, double warps_sm,
                               double warps_gpu) {
  const auto length = [&](const Segment& segment) {
    return segment.repeat * turn_of(gpu, segment, warps_sm, warps_gpu).cycles;
  };
  return *std::max_element(
      work.segments.begin(), work.segments.end(),
      [&](const Segment& a, const Segment& b) { return length(a) < length(b); });
}

}  // namespace

SharedKernel shared_kernel(const GpuSpec& gpu, const LaunchShape& shape,
                           const InstructionWork& work) {
  const Occupancy occupancy = occupancy_of(gpu.sm, shape);
  const double slots = static_cast<double>(occupancy.blocks_per_sm) * gpu.sm_count;
  const double resident = std::min(static_cast<double>(shape.blocks()), slots);
  const double warps = occupancy.warps_per_block;
  const double warps_sm = std::ceil(resident / gpu.sm_count) * warps;
  const Segment& segment = longest_segment(gpu, work, warps_sm, resident * warps);
  const Turn turn = turn_of(gpu, segment, warps_sm, resident * warps);
  SharedKernel out;
  out.blocks = resident;
  out.alone = turn.cycles;
  out.busy_share = std::min(1.0, turn.busy.cycles / turn.cycles);
  out.load = turn.load;
  if (segment.batches.empty()) out.load.compute = turn.cycles;
  return out;
}

std::vector<double> slow_downs(const GpuSpec& gpu, const std::vector<SharedKernel>& kernels) {
  if (kernels.size() < 2) return std::vector<double>(kernels.size(), 1.0);
  std::vector<MemoryLoad> loads;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    loads.push_back(kernels[i].load);
    loads.back().compute /= leftover(gpu, kernels, i);
  }
  std::vector<double> out = periods_together(gpu.kernel.memory, loads);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    out[i] = std::max(1.0, out[i] / kernels[i].alone);
  }
  return out;
}

}  // namespace septet
