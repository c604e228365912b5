#include "tools/septet/export/timeline.hpp"

#include <algorithm>
#include <utility>

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

namespace {

enum class Place : std::uint8_t { kElsewhere, kKept, kDropped };

Place place_of(const Timeline& timeline, const TimelineSlice& slice,
               const std::set<std::int64_t>& devices) {
  const std::int64_t device = timeline.groups[timeline.tracks[slice.track].group].device;
  if (device < 0) return Place::kElsewhere;
  return devices.contains(device) ? Place::kKept : Place::kDropped;
}

// Tracks elsewhere that launched something, but nothing that is kept.
std::vector<bool> tracks_of_dropped(const Timeline& timeline,
                                    const std::set<std::int64_t>& devices) {
  std::unordered_map<std::uint64_t, bool> kept_launch;
  for (const TimelineSlice& slice : timeline.slices) {
    const Place place = place_of(timeline, slice, devices);
    if (place != Place::kElsewhere && slice.correlation != 0) {
      kept_launch[slice.correlation] |= place == Place::kKept;
    }
  }
  std::vector<bool> of_dropped(timeline.tracks.size());
  std::vector<bool> of_kept(timeline.tracks.size());
  for (const TimelineSlice& slice : timeline.slices) {
    const auto launch = kept_launch.find(slice.correlation);
    if (launch == kept_launch.end()) continue;
    (launch->second ? of_kept : of_dropped)[slice.track] = true;
  }
  for (std::size_t t = 0; t < of_kept.size(); ++t) of_dropped[t] = of_dropped[t] && !of_kept[t];
  return of_dropped;
}

// Keeps the elements that `used` says; returns the new index of each old one.
template <class Element>
std::vector<std::uint32_t> keep_used(std::vector<Element>& elements,
                                     const std::vector<bool>& used) {
  std::vector<std::uint32_t> index(elements.size());
  std::vector<Element> kept;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    index[i] = static_cast<std::uint32_t>(kept.size());
    if (used[i]) kept.push_back(std::move(elements[i]));
  }
  elements = std::move(kept);
  return index;
}

void drop_empty_tracks(Timeline& timeline) {
  std::vector<bool> used(timeline.tracks.size());
  for (const TimelineSlice& slice : timeline.slices) used[slice.track] = true;
  const std::vector<std::uint32_t> track = keep_used(timeline.tracks, used);
  for (TimelineSlice& slice : timeline.slices) slice.track = track[slice.track];
  used.assign(timeline.groups.size(), false);
  for (const TimelineTrack& one : timeline.tracks) used[one.group] = true;
  for (const TimelineCounter& one : timeline.counters) used[one.group] = true;
  const std::vector<std::uint32_t> group = keep_used(timeline.groups, used);
  for (TimelineTrack& one : timeline.tracks) one.group = group[one.group];
  for (TimelineCounter& one : timeline.counters) one.group = group[one.group];
}

}  // namespace

void keep_gpus(Timeline& timeline, const std::set<std::int64_t>& devices) {
  const std::vector<bool> of_dropped = tracks_of_dropped(timeline, devices);
  std::erase_if(timeline.slices, [&](const TimelineSlice& slice) {
    return place_of(timeline, slice, devices) == Place::kDropped || of_dropped[slice.track];
  });
  drop_empty_tracks(timeline);
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
