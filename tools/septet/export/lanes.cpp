#include "tools/septet/export/lanes.hpp"

#include <fmt/format.h>

namespace septet::command {
namespace {

using OpenEnds = std::vector<Instant>;  // ends of the slices that enclose the current time

bool fits(OpenEnds& open, const TimelineSlice& slice, bool nests) {
  while (!open.empty() && open.back() <= slice.start) open.pop_back();
  return open.empty() || (nests && slice.end() <= open.back());
}

}  // namespace

Lanes assign_lanes(const Timeline& timeline) {
  std::vector<std::vector<OpenEnds>> open(timeline.tracks.size());
  Lanes lanes;
  lanes.of_slice.reserve(timeline.slices.size());
  for (const TimelineSlice& slice : timeline.slices) {
    std::vector<OpenEnds>& track = open[slice.track];
    const bool nests = timeline.tracks[slice.track].nests;
    std::uint32_t lane = 0;
    while (lane < track.size() && !fits(track[lane], slice, nests)) ++lane;
    if (lane == track.size()) track.emplace_back();
    track[lane].push_back(slice.end());
    lanes.of_slice.push_back(lane);
  }
  for (const auto& track : open) lanes.of_track.push_back(static_cast<std::uint32_t>(track.size()));
  return lanes;
}

std::string lane_name(const TimelineTrack& track, std::uint32_t lane) {
  return lane == 0 ? track.name : fmt::format("{} (lane {})", track.name, lane + 1);
}

}  // namespace septet::command
