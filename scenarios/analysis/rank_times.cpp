#include "scenarios/analysis/rank_times.hpp"

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"

namespace septet::analysis {
namespace {

template <class TimeOf>
TimeRange range_of(std::span<const system::GpuActivity> gpus, TimeOf time_of) {
  TimeRange out;
  std::vector<Duration> times;
  for (const system::GpuActivity& gpu : gpus) {
    times.push_back(time_of(gpu.times));
    out.seconds += to_seconds(times.back());
  }
  out.gpu =
      static_cast<std::uint32_t>(std::max_element(times.begin(), times.end()) - times.begin());
  std::sort(times.begin(), times.end());
  out.min = times.front();
  const Duration below = times[(times.size() - 1) / 2];
  out.median = below + (times[times.size() / 2] - below) / 2;
  out.max = times.back();
  return out;
}

std::optional<Straggler> straggler_of(std::span<const system::GpuActivity> gpus) {
  constexpr double kAlike = 0.99;
  Straggler out;
  double all = 0;
  for (std::uint32_t g = 0; g < gpus.size(); ++g) {
    all += gpus[g].straggler_wait.seconds;
    if (gpus[g].straggler_wait.seconds <= out.straggler_wait.seconds) continue;
    out.gpu = g;
    out.straggler_wait = gpus[g].straggler_wait;
  }
  if (all <= 0) return std::nullopt;
  double theirs = 0;
  out.alike = 0;
  for (const system::GpuActivity& gpu : gpus) {
    if (gpu.straggler_wait.seconds < kAlike * out.straggler_wait.seconds) continue;
    ++out.alike;
    theirs += gpu.straggler_wait.seconds;
  }
  out.share = theirs / all;
  return out;
}

}  // namespace

double RankTimes::share(double seconds) const {
  return span > Duration(0) ? seconds / (to_seconds(span) * gpus) : 0.0;
}

RankTimes rank_times(std::span<const system::GpuActivity> gpus, Duration span) {
  SEPTET_ASSERT(!gpus.empty());
  RankTimes out;
  out.gpus = static_cast<std::uint32_t>(gpus.size());
  out.span = span;
  out.compute = range_of(gpus, [](const gpu::ActivityTimes& t) { return t.compute(); });
  out.communication = range_of(gpus, [](const gpu::ActivityTimes& t) { return t.exposed(); });
  out.waiting = range_of(gpus, [](const gpu::ActivityTimes& t) { return t.waiting(); });
  out.rest = range_of(gpus, [&](const gpu::ActivityTimes& t) {
    return span - t.compute() - t.exposed() - t.waiting();
  });
  out.hidden = range_of(gpus, [](const gpu::ActivityTimes& t) { return t.hidden(); });
  for (const system::GpuActivity& gpu : gpus) {
    out.peer_seconds += to_seconds(gpu.times.for_peers());
  }
  out.straggler = straggler_of(gpus);
  return out;
}

}  // namespace septet::analysis
