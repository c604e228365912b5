#include "scenarios/analysis/attribution.hpp"

#include <algorithm>
#include <map>

#include "models/gpu/activity/activity.hpp"
#include "scenarios/analysis/thread_calls.hpp"

namespace septet::analysis {
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
  const bool unrecorded = next.cause == records::WaitCause::kUnrecorded;
  if (unrecorded) {
    const Instant ready = std::clamp(next.ready, from, to);
    out[TimeCategory::kUnrecorded] += to - ready;
    to = ready;
  }
  const Instant arrived = std::clamp(next.arrived, from, to);
  const Instant issued = std::clamp(next.issued, from, arrived);
  const bool submitting =
      next.cause == records::WaitCause::kSubmission || (unrecorded && arrived > from);
  out[submitting ? TimeCategory::kLaunchBound : TimeCategory::kDependency] += to - arrived;
  out[TimeCategory::kLaunchBound] += arrived - issued;
  const ThreadTime before = calls.between(next.thread, from, issued);
  out[TimeCategory::kLaunchBound] += before.calling;
  out[TimeCategory::kSynchronization] += before.waiting;
  out[TimeCategory::kOtherCalls] += before.other;
  out[TimeCategory::kHostWork] += before.outside;
}

// Idle gaps up to the end of the run, of one GPU or of all together.
void attribute_gaps(const std::vector<GpuWork>& works, const std::vector<Interval>& busy,
                    const RunRows& rows, const ThreadCalls& calls, Attribution& out) {
  Instant idle_since = rows.first;
  auto next = works.begin();
  for (const Interval& interval : busy) {
    // The first work of the interval: several may start together, and the first of them ended the
    // gap.
    while (next->start < interval.begin || next->end <= next->start) ++next;
    attribute_gap(idle_since, interval.begin, *next, calls, out);
    idle_since = interval.end;
  }
  out[TimeCategory::kIdle] += rows.last - idle_since;
}

// What ran when on one GPU. Sends and receives are treated like other collectives here.
gpu::ActivityTimes activity_of(const std::vector<GpuWork>& works) {
  gpu::ActivityTimeline timeline;
  for (const GpuWork& work : works) {
    if (!work.is_collective()) {
      timeline.add(work.is_kernel ? gpu::ActivityKind::kCompute : gpu::ActivityKind::kCopy,
                   work.start, work.end);
      continue;
    }
    timeline.add(gpu::ActivityKind::kWaiting, work.start, work.start + work.waited);
    timeline.add(gpu::ActivityKind::kMoving, work.start + work.waited, work.end);
  }
  return timeline.times();
}

void attribute_gpu(const std::vector<GpuWork>& works, const RunRows& rows, const ThreadCalls& calls,
                   Attribution& out) {
  const gpu::ActivityTimes times = activity_of(works);
  out[TimeCategory::kCompute] += times.compute();
  out[TimeCategory::kCommunication] += times.exposed();
  out[TimeCategory::kWaitingForRanks] += times.waiting();
  out[TimeCategory::kCopies] += times.copies();
  out.hidden += times.hidden();
  out.busy_union += length(busy_intervals(works, [](const GpuWork&) { return true; }));
  attribute_gaps(works, busy_intervals(works, [](const GpuWork&) { return true; }), rows, calls,
                 out);
}

// Each GPU separately.
Attribution attribute_gpus(const RunRows& rows) {
  Attribution out;
  out.collectives = true;
  const ThreadCalls calls(rows.calls);
  std::map<std::int32_t, std::vector<GpuWork>> by_device;
  for (const GpuWork& work : rows.works) by_device[work.device].push_back(work);
  out.gpus = static_cast<std::uint32_t>(by_device.size());
  for (const auto& [device, works] : by_device) attribute_gpu(works, rows, calls, out);
  return out;
}

}  // namespace

TotalTime Attribution::total() const {
  TotalTime sum;
  for (const TotalTime part : time) sum += part;
  return sum;
}

Duration Attribution::busy() const {
  return mean(TimeCategory::kGpuBusy) + mean(TimeCategory::kCompute);
}

std::vector<TimeCategory> categories_of(const Attribution& attribution) {
  std::vector<TimeCategory> out;
  for (const TimeCategory category : values_of<TimeCategory>()) {
    const bool only_with = category == TimeCategory::kCompute ||
                           category == TimeCategory::kCommunication ||
                           category == TimeCategory::kWaitingForRanks;
    const bool only_without = category == TimeCategory::kGpuBusy;
    if (attribution.collectives ? !only_without : !only_with) out.push_back(category);
  }
  return out;
}

Attribution attribute(const RunRows& rows) {
  const bool collectives = std::any_of(rows.works.begin(), rows.works.end(),
                                       [](const GpuWork& w) { return w.is_collective(); });
  if (collectives) return attribute_gpus(rows);
  Attribution out;
  const ThreadCalls calls(rows.calls);
  const std::vector<Interval> kernels =
      busy_intervals(rows.works, [](const GpuWork& w) { return w.is_kernel; });
  const std::vector<Interval> busy =
      busy_intervals(rows.works, [](const GpuWork&) { return true; });
  out[TimeCategory::kGpuBusy] = length(kernels);
  out[TimeCategory::kCopies] = length(busy) - length(kernels);
  out.busy_union = length(busy);
  attribute_gaps(rows.works, busy, rows, calls, out);
  return out;
}

std::vector<UnrecordedWait> unrecorded_waits(const RunRows& rows) {
  std::map<std::pair<bool, std::int32_t>, UnrecordedWait> waits;
  for (const GpuWork& work : rows.works) {
    if (work.cause != records::WaitCause::kUnrecorded) continue;
    UnrecordedWait& wait = waits[{work.is_kernel, work.name}];
    wait.name = work.name;
    wait.is_kernel = work.is_kernel;
    ++wait.count;
    wait.time += work.start - work.ready;
  }
  std::vector<UnrecordedWait> out;
  for (const auto& [name, wait] : waits) out.push_back(wait);
  std::stable_sort(out.begin(), out.end(), [](const UnrecordedWait& a, const UnrecordedWait& b) {
    return a.time > b.time;
  });
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
    if (!work.is_collective()) continue;
    total.collective = true;
    total.waiting += work.waited;
  }
  std::vector<KernelTotal> out;
  for (const auto& [name, total] : totals) out.push_back(total);
  std::stable_sort(out.begin(), out.end(), [](const KernelTotal& a, const KernelTotal& b) {
    return a.working() > b.working();
  });
  return out;
}

}  // namespace septet::analysis
