#include "models/gpu/kernel/issue.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

// Integer multiply-add runs on the FMA pipe.
std::size_t unit_of(std::size_t pipe) {
  return pipe == static_cast<std::size_t>(program::Pipe::kImad)
             ? static_cast<std::size_t>(program::Pipe::kFma)
             : pipe;
}

double warps_per_scheduler(const IssueSpec& spec, double warps) {
  return std::max(1.0, warps / spec.schedulers);
}

}  // namespace

Busy busy_cycles(const KernelSpec& spec, const program::Segment& segment, double warps) {
  const double own = warps_per_scheduler(spec.issue, warps);
  std::array<double, kEnumSize<program::Pipe>> pipe{};
  std::array<double, kEnumSize<program::Pipe>> shared{};
  Busy busy;
  for (std::size_t p = 0; p < kEnumSize<program::Pipe>; ++p) {
    const double n = segment.instructions[p];
    pipe[unit_of(p)] += own * (n * spec.pipes[p].interval + segment.bank_conflicts[p]);
    shared[unit_of(p)] += warps * n * spec.pipes[p].sm_interval;
    busy.issue_slots += own * n;
  }
  const auto memory = static_cast<std::size_t>(program::Pipe::kLsu);
  const double wavefronts = shared[memory] + warps * segment.shared_wavefronts;
  busy.cycles = busy.issue_slots;
  for (std::size_t p = 0; p < kEnumSize<program::Pipe>; ++p) {
    const double most = std::max(pipe[p], shared[p]);
    if (most <= busy.cycles) continue;
    busy.cycles = most;
    busy.what = Bottleneck::kPipe;
    busy.pipe = static_cast<program::Pipe>(p);
  }
  if (wavefronts > busy.cycles) {
    busy.cycles = wavefronts;
    busy.what = Bottleneck::kSharedMemory;
  }
  return busy;
}

double fetch_cycles(const FetchSpec& spec, const program::Segment& segment, double busy) {
  const auto l0 = static_cast<double>(spec.l0.count());
  const auto l15 = static_cast<double>(spec.l15.count());
  if (segment.code_bytes <= l0) return 0;
  const bool near = segment.code_bytes <= l15;
  const double fetch = segment.code_bytes / spec.instruction_bytes *
                       (near ? spec.cycles_from_l15 : spec.cycles_from_l2);
  constexpr double kSpreadOver = 0.3;  // of a fetch: from no second fetch to a full one
  const double again = std::clamp((busy / fetch - 1.0) / kSpreadOver, 0.0, 1.0);
  const double drift = segment.repeat > 1 && near ? spec.drift : 1.0;
  return again == 0 ? std::max(0.0, fetch - busy) : again * fetch * drift;
}

double expected_largest(double n) {
  static constexpr double kTable[] = {0,      0,      0.5642, 0.8463, 1.0294, 1.1630,
                                      1.2672, 1.3522, 1.4236, 1.4850, 1.5388, 1.5864,
                                      1.6292, 1.6680, 1.7034, 1.7359, 1.7660};
  constexpr double kLast = 16;
  constexpr double kPerDoubling = 0.305;
  if (n <= 1) return 0;
  if (n >= kLast) return kTable[16] + kPerDoubling * std::log2(n / kLast);
  const auto below = static_cast<std::size_t>(n);
  const double part = n - static_cast<double>(below);
  return kTable[below] + part * (kTable[below + 1] - kTable[below]);
}

double hidden_issue(const IssueSpec& spec, double busy, double warps) {
  const double own = warps / spec.schedulers;
  if (own <= 1) return 0;
  const double range = 2.0 * expected_largest(own);
  const double cap = spec.spread_hide_cycles * range;
  if (cap <= 0) return 0;
  const double others = (1.0 - 1.0 / own) * busy;
  return cap * (1.0 - std::exp(-others / cap));
}

}  // namespace septet::gpu
