// Advice: what-ifs that the kernel model was run for, the largest gain first.
//
// Of each kind of change the fastest variant is kept, if it gains more than one per cent and its
// blocks fit an SM. Gains don't add up: each is that of one change alone.
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
