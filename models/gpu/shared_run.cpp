#include "models/gpu/shared_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/occupancy/occupancy.hpp"

namespace septet {

const SharedRun::Known& SharedRun::known(std::uint32_t kernel, const Kernel& description) {
  const auto found = known_.find(kernel);
  if (found != known_.end()) return found->second;
  const InstructionWork& work = std::get<InstructionWork>(description.work);
  try {
    const Duration alone = kernel_time(gpu_, description.shape, work).total;
    return known_.emplace(kernel, Known{alone, shared_kernel(gpu_, description.shape, work)})
        .first->second;
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("kernel '{}': {}", description.name, error.what()));
  }
}

void SharedRun::start(std::uint32_t work, std::uint32_t kernel, const Kernel& description,
                      Instant now) {
  progress(now);
  const Known& entry = known(kernel, description);
  running_.push_back({work, &entry, {}, static_cast<double>(entry.alone.count()), 1.0});
  share();
}

void SharedRun::start_recorded(std::uint32_t work, Duration alone, const RecordedShare& taken,
                               Instant now) {
  progress(now);
  const auto disturbance = static_cast<double>(gpu_.kernel.cold.neighbour_start.count());
  for (Running& r : running_) r.left += disturbance;
  running_.push_back({work, nullptr, taken, static_cast<double>(alone.count()), 1.0});
  share();
}

void SharedRun::end(std::uint32_t work, Instant now) {
  progress(now);
  std::erase_if(running_, [work](const Running& r) { return r.work == work; });
  share();
}

void SharedRun::progress(Instant now) {
  const auto elapsed = static_cast<double>((now - since_).count());
  for (Running& r : running_) r.left = std::max(0.0, r.left - elapsed / r.slow_down);
  since_ = now;
}

void SharedRun::share() {
  share_slots();
  std::vector<SharedKernel> kernels;
  std::vector<Running*> modelled;
  for (Running& r : running_) {
    if (r.known == nullptr) continue;
    kernels.push_back(r.known->shared);
    modelled.push_back(&r);
  }
  const std::vector<double> slow = slow_downs(gpu_, kernels);
  for (std::size_t i = 0; i < modelled.size(); ++i) modelled[i]->slow_down = slow[i];
}

void SharedRun::share_slots() {
  double covered = 0;
  double taken = 0;
  for (const Running& r : running_) {
    covered += r.share.sms;
    taken += r.share.throughput;
  }
  const bool meet = covered > 1.0;
  for (Running& r : running_) {
    if (r.known == nullptr) r.slow_down = meet ? std::max(1.0, taken) : 1.0;
  }
}

std::vector<SharedRun::Ending> SharedRun::endings() const {
  std::vector<Ending> out;
  for (const Running& r : running_) {
    out.push_back({r.work, Duration(std::llround(r.left * r.slow_down))});
  }
  return out;
}

RecordedShare recorded_share(const GpuSpec& gpu, const LaunchShape& shape) {
  if (shape.blocks() == 0 || why_impossible(gpu.sm, shape)) return {1.0, 1.0};
  const auto sms = static_cast<double>(gpu.sm_count);
  const auto blocks = static_cast<double>(shape.blocks());
  const double slots = static_cast<double>(occupancy_of(gpu.sm, shape).blocks_per_sm) * sms;
  const double waves = blocks / slots;
  const double held =
      waves > 1.0 ? waves / std::ceil(waves) : std::ceil(blocks / sms) * sms / slots;
  return {std::min(1.0, blocks / sms), held};
}

}  // namespace septet
