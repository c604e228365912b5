// Advice: what-ifs simulated with the kernel model, largest gain first.
//
// Of each kind of change the fastest variant is kept, if it gains more than 1 % and its blocks fit
// on an SM. Gains don't add up: each is for a single change.
#pragma once

#include <vector>

#include "models/host/host_spec.hpp"
#include "scenarios/explain/changes.hpp"

namespace septet::explain {

struct Advice {
  Change change;
  Duration time{};  // of the changed kernel, submission included
  double speedup = 1;
};

std::vector<Advice> advice_for(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                               const KernelDescription& kernel);

}  // namespace septet::explain
