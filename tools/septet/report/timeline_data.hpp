// The timeline of a result for report.js: small enough for one file, however long the run was.
#pragma once

#include <cstddef>
#include <string>

#include "tools/septet/export/timeline.hpp"
#include "tools/septet/report/document.hpp"

namespace septet::command {

struct TimelineLimits {
  std::size_t slices = 24'000;
  std::size_t tracks = 48;
};

// Neighbours on a track that are both shorter than some time become one, until no more than
// `limits.slices` remain; it has the name that takes most of its time, and knows how many it stands
// for. Calls within calls are rows of their own.
TimelineBlock timeline_block(const std::string& id, const Timeline& timeline,
                             const TimelineLimits& limits = {});

}  // namespace septet::command
