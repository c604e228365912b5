#include "scenarios/replay/step_times.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace septet::replay {
namespace {

Duration median(std::vector<Duration> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

StepTimes step_times(const recorded::Import& recording) {
  StepTimes out;
  const std::vector<recorded::Step>& steps = recording.steps;
  const bool in_order = std::is_sorted(
      steps.begin(), steps.end(),
      [](const recorded::Step& a, const recorded::Step& b) { return a.begin < b.begin; });
  if (steps.size() < 2 || !in_order) return out;
  std::vector<Duration> times;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Instant next = s + 1 < steps.size() ? steps[s + 1].begin : Instant() + recording.measured;
    times.push_back(next - steps[s].begin);
  }
  std::vector<Duration> work(steps.size());
  for (const recorded::RecordedRow& row : recording.rows) work[row.step] += row.duration;
  const auto slowest = std::max_element(times.begin(), times.end());
  const auto number = static_cast<std::size_t>(slowest - times.begin());
  out.steps = steps.size();
  out.mean = std::accumulate(times.begin(), times.end(), Duration{}) /
             static_cast<std::int64_t>(times.size());
  out.least = *std::min_element(times.begin(), times.end());
  out.most = *slowest;
  out.slowest = steps[number].name;
  out.more_work = work[number] - median(work);
  out.more_idle = *slowest - median(times) - out.more_work;
  return out;
}

}  // namespace septet::replay
