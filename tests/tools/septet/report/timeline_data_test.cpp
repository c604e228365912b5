#include "tools/septet/report/timeline_data.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace septet::command {
namespace {

using Json = nlohmann::json;

// Kernels of 2 us every 3 us on one stream, and a long call that encloses short ones on a thread.
Timeline sample(std::size_t kernels) {
  Timeline out;
  out.groups = {{"GPU 0", 0, 0}, {"host", 1, -1}};
  out.tracks = {{0, 0, "stream 7", false}, {1, 1, "thread 1", true}};
  const auto add = [&](std::uint32_t track, std::int64_t start_us, std::int64_t us,
                       const std::string& name) {
    TimelineSlice slice;
    slice.start = Instant(start_us * 1'000'000);
    slice.duration = Duration(us * 1'000'000);
    slice.track = track;
    slice.name = out.string(name);
    out.slices.push_back(slice);
  };
  for (std::size_t i = 0; i < kernels; ++i) {
    add(0, static_cast<std::int64_t>(3 * i), 2, i % 2 == 0 ? "even" : "odd");
  }
  add(1, 0, 10, "outer");
  add(1, 1, 2, "inner");
  out.sort();
  return out;
}

Json tracks_of(const TimelineBlock& block) { return Json::parse(block.json).at("tracks"); }

TEST(TimelineData, KeepsEverySliceWhereThereIsRoom) {
  const TimelineBlock block = timeline_block("t", sample(4));
  const Json tracks = tracks_of(block);
  ASSERT_EQ(tracks.size(), 3U);  // the stream, the thread, what lies within its calls
  EXPECT_EQ(tracks[0].at("start"), Json({0, 3000, 3000, 3000}));
  EXPECT_EQ(tracks[0].at("length"), Json({2000, 2000, 2000, 2000}));
  EXPECT_EQ(tracks[0].at("count"), Json({1, 1, 1, 1}));
  EXPECT_EQ(tracks[2].at("start"), Json({1000}));
  EXPECT_EQ(Json::parse(block.json).at("span"), 11000);
  EXPECT_EQ(block.finding.find("drawn as one"), std::string::npos);
}

TEST(TimelineData, JoinsShortNeighboursUntilTheyFit) {
  const TimelineBlock block = timeline_block("t", sample(1000), {100, 10});
  const Json tracks = tracks_of(block);
  std::size_t pieces = 0;
  std::int64_t kernels = 0;
  for (const Json& track : tracks) pieces += track.at("start").size();
  for (const Json& count : tracks[0].at("count")) kernels += count.get<std::int64_t>();
  EXPECT_LE(pieces, 100U);
  EXPECT_EQ(kernels, 1000);  // none is lost
  EXPECT_NE(block.finding.find("drawn as one"), std::string::npos);
}

TEST(TimelineData, SaysHowManyRowsAreLeftOut) {
  const TimelineBlock block = timeline_block("t", sample(4), {100, 2});
  EXPECT_EQ(tracks_of(block).size(), 2U);
  EXPECT_NE(block.finding.find("the first 2 of 3 rows"), std::string::npos);
}

TEST(TimelineData, ListsTheNamesThatTakeMost) {
  const TimelineBlock block = timeline_block("t", sample(5));
  EXPECT_EQ(block.data.rows.front().front().text, "outer");  // 10 us; three even take 6
  EXPECT_EQ(block.data.rows.at(1).front().text, "even");
}

}  // namespace
}  // namespace septet::command
