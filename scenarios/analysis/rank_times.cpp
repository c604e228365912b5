#include "scenarios/analysis/rank_times.hpp"

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"

namespace septet {
namespace {

template <class TimeOf>
TimeRange range_of(std::span<const GpuActivity> gpus, TimeOf time_of) {
  TimeRange out;
  std::vector<Duration> times;
  for (const GpuActivity& gpu : gpus) {
    times.push_back(time_of(gpu.times));
    out.total += times.back();
  }
  out.gpu =
      static_cast<std::uint32_t>(std::max_element(times.begin(), times.end()) - times.begin());
  std::sort(times.begin(), times.end());
  out.least = times.front();
  out.median = times[times.size() / 2];
  out.most = times.back();
  return out;
}

std::optional<Straggler> straggler_of(std::span<const GpuActivity> gpus) {
  Straggler out;
  Duration all{};
  for (std::uint32_t g = 0; g < gpus.size(); ++g) {
    all += gpus[g].waited_for.time;
    if (gpus[g].waited_for.time > out.waited_for.time) out = {g, gpus[g].waited_for, 0};
  }
  if (all == Duration(0)) return std::nullopt;
  out.share = ratio(out.waited_for.time, all);
  return out;
}

}  // namespace

double RankTimes::bubble() const { return span > Duration(0) ? ratio(peers, span * gpus) : 0.0; }

RankTimes rank_times(std::span<const GpuActivity> gpus, Duration span) {
  SEPTET_ASSERT(!gpus.empty());
  RankTimes out;
  out.gpus = static_cast<std::uint32_t>(gpus.size());
  out.span = span;
  out.compute = range_of(gpus, [](const ActivityTimes& t) { return t.compute(); });
  out.communication = range_of(gpus, [](const ActivityTimes& t) { return t.exposed(); });
  out.waiting = range_of(gpus, [](const ActivityTimes& t) { return t.waiting(); });
  out.rest = range_of(
      gpus, [&](const ActivityTimes& t) { return span - t.compute() - t.exposed() - t.waiting(); });
  out.hidden = range_of(gpus, [](const ActivityTimes& t) { return t.hidden(); });
  for (const GpuActivity& gpu : gpus) out.peers += gpu.times.for_peers();
  out.straggler = straggler_of(gpus);
  return out;
}

}  // namespace septet
