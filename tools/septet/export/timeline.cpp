#include "tools/septet/export/timeline.hpp"

#include <algorithm>

namespace septet::command {

std::string_view category(SliceKind kind) {
  switch (kind) {
    case SliceKind::kKernel:
      return "kernel";
    case SliceKind::kCopy:
      return "gpu_memcpy";
    case SliceKind::kMemset:
      return "gpu_memset";
    case SliceKind::kCall:
      return "cuda_runtime";
    case SliceKind::kOther:
      return "other";
  }
  return "other";
}

std::uint32_t Timeline::string(std::string_view text) {
  const auto next = static_cast<std::uint32_t>(strings_.size());
  const auto [found, added] = indices_.try_emplace(std::string(text), next);
  if (added) strings_.emplace_back(text);
  return found->second;
}

void Timeline::sort() {
  std::ranges::stable_sort(slices, [](const TimelineSlice& a, const TimelineSlice& b) {
    return a.start != b.start ? a.start < b.start : a.duration > b.duration;
  });
}

void keep_window(Timeline& timeline, Instant begin, Instant end) {
  std::erase_if(timeline.slices, [&](const TimelineSlice& slice) {
    // A slice without duration at the window's begin is inside.
    return slice.start >= end || (slice.end() <= begin && slice.start < begin);
  });
  for (TimelineCounter& counter : timeline.counters) {
    std::erase_if(counter.samples, [&](const CounterSample& sample) {
      return sample.at < begin || sample.at >= end;
    });
  }
}

std::vector<TimelineFlow> launch_flows(const Timeline& timeline) {
  std::unordered_map<std::uint64_t, std::uint32_t> calls;
  for (std::uint32_t i = 0; i < timeline.slices.size(); ++i) {
    const TimelineSlice& slice = timeline.slices[i];
    if (slice.kind == SliceKind::kCall && slice.correlation != 0) {
      calls.try_emplace(slice.correlation, i);
    }
  }
  std::vector<TimelineFlow> flows;
  for (std::uint32_t i = 0; i < timeline.slices.size(); ++i) {
    const TimelineSlice& slice = timeline.slices[i];
    if (slice.kind == SliceKind::kCall) continue;
    const auto call = calls.find(slice.correlation);
    if (call == calls.end()) continue;
    flows.push_back({call->second, i});
    calls.erase(call);  // a graph launch starts many kernels; one arrow, to the first
  }
  return flows;
}

}  // namespace septet::command
