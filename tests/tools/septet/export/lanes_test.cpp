#include "tools/septet/export/lanes.hpp"

#include <gtest/gtest.h>

namespace septet::command {
namespace {

struct Span {
  std::int64_t start;
  std::int64_t end;
};

// The lanes of these spans on one track.
std::vector<std::uint32_t> lanes(const std::vector<Span>& spans, bool nests) {
  Timeline timeline;
  timeline.groups = {{"GPU 0", 0}};
  timeline.tracks = {{0, 7, "stream 7", nests}};
  for (const Span& span : spans) {
    TimelineSlice slice;
    slice.start = Instant(span.start);
    slice.duration = Duration(span.end - span.start);
    timeline.slices.push_back(slice);
  }
  return assign_lanes(timeline).of_slice;
}

using Expected = std::vector<std::uint32_t>;

TEST(Lanes, KeepSlicesThatFollowOneAnotherTogether) {
  EXPECT_EQ(lanes({{0, 10}, {10, 20}, {20, 20}, {20, 30}}, false), (Expected{0, 0, 0, 0}));
}

TEST(Lanes, MoveAnOverlappingKernelToTheNextLane) {
  EXPECT_EQ(lanes({{0, 10}, {9, 20}, {10, 30}, {15, 16}, {20, 40}}, false),
            (Expected{0, 1, 0, 2, 1}));
}

TEST(Lanes, LetCallsLieInsideCallsOnThreads) {
  EXPECT_EQ(lanes({{0, 10}, {2, 8}, {3, 4}, {8, 10}}, true), (Expected{0, 0, 0, 0}));
  EXPECT_EQ(lanes({{0, 10}, {2, 8}}, false), (Expected{0, 1}));
}

TEST(Lanes, SeparateCallsThatOverlapWithoutNesting) {
  EXPECT_EQ(lanes({{0, 10}, {5, 11}, {11, 12}}, true), (Expected{0, 1, 0}));
}

TEST(Lanes, HaveNamesThatDiffer) {
  const TimelineTrack track{0, 7, "stream 7", false};
  EXPECT_EQ(lane_name(track, 0), "stream 7");
  EXPECT_EQ(lane_name(track, 1), "stream 7 (lane 2)");
}

}  // namespace
}  // namespace septet::command
