#include "scenarios/analysis/attribution.hpp"

#include <algorithm>
#include <map>

#include "scenarios/analysis/thread_calls.hpp"

namespace septet {
namespace {

struct Interval {
  Instant begin, end;
};

// Union of the intervals of works that `wanted` accepts; the works are sorted by start.
template <class Wanted>
std::vector<Interval> busy_intervals(const std::vector<GpuWork>& works, Wanted wanted) {
  std::vector<Interval> out;
  for (const GpuWork& work : works) {
    if (!wanted(work) || work.end <= work.start) continue;
    if (out.empty() || work.start > out.back().end) {
      out.push_back({work.start, work.end});
    } else {
      out.back().end = std::max(out.back().end, work.end);
    }
  }
  return out;
}

Duration length(const std::vector<Interval>& intervals) {
  Duration sum{};
  for (const Interval& i : intervals) sum += i.end - i.begin;
  return sum;
}

// Adds the time of the idle interval [from, to), which ends when `next` starts.
void attribute_gap(Instant from, Instant to, const GpuWork& next, const ThreadCalls& calls,
                   Attribution& out) {
  const Instant arrived = std::clamp(next.arrived, from, to);
  const Instant issued = std::clamp(next.issued, from, arrived);
  const bool submitting = next.cause == WaitCause::kSubmission;
  out[submitting ? TimeCategory::kLaunchBound : TimeCategory::kDependency] += to - arrived;
  out[TimeCategory::kLaunchBound] += arrived - issued;
  const ThreadTime before = calls.between(next.thread, from, issued);
  out[TimeCategory::kLaunchBound] += before.calling;
  out[TimeCategory::kSynchronization] += before.waiting;
  out[TimeCategory::kHostWork] += before.outside;
}

}  // namespace

const char* name_of(TimeCategory category) {
  static constexpr const char* kNames[kTimeCategories] = {
      "gpu_busy", "copies", "launch_bound", "dependency", "host_work", "synchronization", "idle"};
  return kNames[static_cast<std::size_t>(category)];
}

Duration Attribution::total() const {
  Duration sum{};
  for (const Duration d : time) sum += d;
  return sum;
}

Attribution attribute(const RunRows& rows) {
  Attribution out;
  const ThreadCalls calls(rows.calls);
  const std::vector<Interval> kernels =
      busy_intervals(rows.works, [](const GpuWork& w) { return w.is_kernel; });
  const std::vector<Interval> busy =
      busy_intervals(rows.works, [](const GpuWork&) { return true; });
  out[TimeCategory::kGpuBusy] = length(kernels);
  out[TimeCategory::kCopies] = length(busy) - length(kernels);
  Instant idle_since = rows.first;
  auto next = rows.works.begin();
  for (const Interval& interval : busy) {
    // The interval's first work: several may start together, the first of them ended the gap.
    while (next->start < interval.begin || next->end <= next->start) ++next;
    attribute_gap(idle_since, interval.begin, *next, calls, out);
    idle_since = interval.end;
  }
  out[TimeCategory::kIdle] += rows.last - idle_since;
  return out;
}

std::vector<KernelTotal> top_kernels(const RunRows& rows) {
  std::map<std::int32_t, KernelTotal> totals;
  for (const GpuWork& work : rows.works) {
    if (!work.is_kernel) continue;
    KernelTotal& total = totals[work.name];
    total.name = work.name;
    ++total.count;
    total.time += work.end - work.start;
  }
  std::vector<KernelTotal> out;
  for (const auto& [name, total] : totals) out.push_back(total);
  std::stable_sort(out.begin(), out.end(),
                   [](const KernelTotal& a, const KernelTotal& b) { return a.time > b.time; });
  return out;
}

}  // namespace septet
