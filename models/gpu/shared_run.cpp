#include "models/gpu/shared_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.hpp"

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
  running_.push_back({work, &entry, static_cast<double>(entry.alone.count()), 1.0});
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
  std::vector<SharedKernel> kernels;
  for (const Running& r : running_) kernels.push_back(r.known->shared);
  const std::vector<double> slow = slow_downs(gpu_, kernels);
  for (std::size_t i = 0; i < running_.size(); ++i) running_[i].slow_down = slow[i];
}

std::vector<SharedRun::Ending> SharedRun::endings() const {
  std::vector<Ending> out;
  for (const Running& r : running_) {
    out.push_back({r.work, Duration(std::llround(r.left * r.slow_down))});
  }
  return out;
}

}  // namespace septet
