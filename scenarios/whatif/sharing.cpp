// Whether kernels that overlap because of a change slow each other down.
#include <algorithm>
#include <map>

#include "scenarios/whatif/changes.hpp"

namespace septet::whatif::changes {
namespace {

// The share of kernel time during which another kernel of the same device ran.
double overlapped_share(const analysis::RunRows& rows) {
  std::map<std::int32_t, Instant> busy_until;
  Duration all{};
  Duration overlapped{};
  std::vector<const analysis::GpuWork*> works;
  for (const analysis::GpuWork& work : rows.works) {
    if (work.is_kernel) works.push_back(&work);
  }
  std::sort(works.begin(), works.end(), [](const analysis::GpuWork* a, const analysis::GpuWork* b) {
    return a->start < b->start;
  });
  for (const analysis::GpuWork* work : works) {
    Instant& until = busy_until[work->device];
    all += work->end - work->start;
    overlapped += std::max(Duration(0), std::min(until, work->end) - work->start);
    until = std::max(until, work->end);
  }
  return all > Duration(0) ? ratio(overlapped, all) : 0.0;
}

}  // namespace

void share_if_alone(WhatIfState& state, const analysis::RunRows& before) {
  constexpr double kHardlyAny = 0.01;
  if (state.system.recorded_share || overlapped_share(before) > kHardlyAny) return;
  state.system.recorded_share = true;
}

void share_if_alone(WhatIfState& state) {
  if (!state.system.recorded_share) share_if_alone(state, run_now(state));
}

}  // namespace septet::whatif::changes
