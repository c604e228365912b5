// Viewers want the slices of one track to nest. Kernels that overlap on one stream (programmatic
// launches, parallel branches of a graph) don't, so a track gets as many lanes as it takes: in each
// lane slices follow one another, or lie inside one another where the track allows that.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/septet/export/timeline.hpp"

namespace septet::command {

struct Lanes {
  std::vector<std::uint32_t> of_slice;  // lane of each slice, 0 first, counted for each track
  std::vector<std::uint32_t> of_track;  // number of lanes of each track
};

// Expects sorted slices. Each slice takes the first lane in which it fits.
Lanes assign_lanes(const Timeline& timeline);

// "stream 7" for lane 0, "stream 7 (lane 2)" for the next one.
std::string lane_name(const TimelineTrack& track, std::uint32_t lane);

}  // namespace septet::command
