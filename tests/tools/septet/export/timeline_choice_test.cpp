#include "tools/septet/export/timeline_choice.hpp"

#include <gtest/gtest.h>

#include "core/base/units.hpp"

namespace septet::command {
namespace {

std::string mistake(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(TimelineWindow, HasABeginAndAnEndEitherOfWhichMayBeLeftOut) {
  TimelineChoice choice;
  read_window("window", "10 ms:12 ms", choice);
  EXPECT_EQ(choice.begin, Instant() + 10_ms);
  EXPECT_EQ(choice.end, Instant() + 12_ms);
  read_window("window", ":1 us", choice);
  EXPECT_EQ(choice.begin, Instant());
  EXPECT_EQ(choice.end, Instant() + 1_us);
  read_window("window", "1 us:", choice);
  EXPECT_EQ(choice.end, Instant::max());
}

TEST(TimelineWindow, ThatIsNoneIsAMistakeOfTheOption) {
  TimelineChoice choice;
  EXPECT_EQ(mistake([&] { read_window("window", "1 us", choice); }),
            "--window: got '1 us', wanted BEGIN:END such as '10 ms:12 ms'");
  EXPECT_EQ(mistake([&] { read_window("window", "2 us:2 us", choice); }),
            "--window: '2 us:2 us' ends before it begins");
  EXPECT_EQ(mistake([&] { read_window("window", "1:2 us", choice); }).substr(0, 10), "--window: ");
}

TEST(TimelineGpus, AreSingleOnesAndRanges) {
  EXPECT_EQ(read_gpus("gpus", "3"), (std::set<std::int64_t>{3}));
  EXPECT_EQ(read_gpus("gpus", "0-2,7"), (std::set<std::int64_t>{0, 1, 2, 7}));
}

TEST(TimelineGpus, ThatAreNoneAreAMistakeOfTheOption) {
  for (const char* text : {"", "a", "1-", "-1", "2-1", "1,,2", "1,"}) {
    EXPECT_EQ(mistake([&] { read_gpus("gpus", text); }).substr(0, 12), "--gpus: got ") << text;
  }
}

// Two GPUs and three threads: one launches on each GPU, one on none.
TEST(TimelineGpus, KeepTheThreadsThatLaunchOnThemOrOnNone) {
  Timeline timeline;
  timeline.groups = {{"host", 0}, {"GPU 0", 1, 0}, {"GPU 1", 2, 1}};
  for (const std::uint32_t group : {0U, 0U, 0U, 1U, 2U}) {
    timeline.tracks.push_back({group, static_cast<std::int64_t>(timeline.tracks.size()), "t"});
  }
  const auto add = [&](std::uint32_t track, std::uint64_t correlation, SliceKind kind) {
    TimelineSlice slice;
    slice.track = track;
    slice.correlation = correlation;
    slice.kind = kind;
    timeline.slices.push_back(slice);
  };
  add(0, 10, SliceKind::kCall);
  add(1, 11, SliceKind::kCall);
  add(2, 0, SliceKind::kCall);
  add(3, 10, SliceKind::kKernel);
  add(4, 11, SliceKind::kKernel);
  keep_gpus(timeline, {1});
  std::vector<std::uint32_t> left;
  for (const TimelineSlice& slice : timeline.slices) left.push_back(slice.track);
  EXPECT_EQ(left, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(timeline.tracks[2].id, 4);
  ASSERT_EQ(timeline.groups.size(), 2U);
  EXPECT_EQ(timeline.groups[1].name, "GPU 1");
  EXPECT_EQ(timeline.tracks[2].group, 1U);
}

}  // namespace
}  // namespace septet::command
