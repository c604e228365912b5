#include "tools/septet/export/timeline.hpp"

#include <gtest/gtest.h>

namespace septet::command {
namespace {

TimelineSlice slice(std::int64_t start, std::int64_t duration, SliceKind kind = SliceKind::kKernel,
                    std::uint64_t correlation = 0) {
  TimelineSlice out;
  out.start = Instant(start);
  out.duration = Duration(duration);
  out.kind = kind;
  out.correlation = correlation;
  return out;
}

std::vector<std::int64_t> starts(const Timeline& timeline) {
  std::vector<std::int64_t> out;
  for (const TimelineSlice& one : timeline.slices) out.push_back(one.start.count());
  return out;
}

TEST(Timeline, HoldsEachStringOnce) {
  Timeline timeline;
  EXPECT_EQ(timeline.string("a"), 0U);
  EXPECT_EQ(timeline.string("b"), 1U);
  EXPECT_EQ(timeline.string("a"), 0U);
  EXPECT_EQ(timeline.text(1), "b");
}

TEST(Timeline, SortsEnclosingSlicesBeforeEnclosedOnes) {
  Timeline timeline;
  timeline.slices = {slice(5, 1), slice(0, 2), slice(0, 10)};
  timeline.sort();
  EXPECT_EQ(starts(timeline), (std::vector<std::int64_t>{0, 0, 5}));
  EXPECT_EQ(timeline.slices[0].duration, Duration(10));
}

TEST(KeepWindow, KeepsWholeSlicesThatTouchTheHalfOpenWindow) {
  Timeline timeline;
  // Window [10, 20): a slice that ends at 10 is out, one that ends at 11 in; one that starts at 19
  // in, one that starts at 20 out; without duration: at 10 in, at 20 out.
  timeline.slices = {slice(0, 10), slice(1, 10), slice(10, 0), slice(0, 100),
                     slice(19, 5), slice(20, 5), slice(20, 0)};
  timeline.counters = {{0, "c", "", {{Instant(9), 1}, {Instant(10), 2}, {Instant(20), 3}}}};
  keep_window(timeline, Instant(10), Instant(20));
  EXPECT_EQ(starts(timeline), (std::vector<std::int64_t>{1, 10, 0, 19}));
  ASSERT_EQ(timeline.counters[0].samples.size(), 1U);
  EXPECT_EQ(timeline.counters[0].samples[0].value, 2);
}

TEST(LaunchFlows, JoinACallToTheFirstWorkOfItsCorrelation) {
  Timeline timeline;
  timeline.slices = {slice(0, 1, SliceKind::kCall, 7),    slice(1, 1, SliceKind::kCall, 8),
                     slice(2, 1, SliceKind::kKernel, 0),  slice(3, 1, SliceKind::kCopy, 8),
                     slice(4, 1, SliceKind::kKernel, 7),  slice(5, 1, SliceKind::kKernel, 7),
                     slice(6, 1, SliceKind::kKernel, 99), slice(7, 1, SliceKind::kCall, 0)};
  const std::vector<TimelineFlow> flows = launch_flows(timeline);
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0].from, 1U);
  EXPECT_EQ(flows[0].to, 3U);
  EXPECT_EQ(flows[1].from, 0U);
  EXPECT_EQ(flows[1].to, 4U);
}

}  // namespace
}  // namespace septet::command
