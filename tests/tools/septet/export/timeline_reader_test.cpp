#include "tools/septet/export/timeline_reader.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/trace/hdf5_writer.hpp"

namespace septet {
namespace {

constexpr TableId kKernels = 0;
constexpr TableId kCalls = 1;
constexpr TableId kCopies = 2;
constexpr TableId kPhases = 3;
constexpr TableId kPower = 4;
constexpr TableId kLinks = 5;

ColumnSpec time(const char* name) { return {name, ColumnType::kInt64, "ps", name}; }
ColumnSpec number(const char* name) { return {name, ColumnType::kInt32, "1", name}; }
ColumnSpec code(const char* name, const char* dictionary) {
  return {name, ColumnType::kInt32, "1", name, dictionary};
}

TraceSchema schema() {
  ColumnSpec kind{"kind", ColumnType::kUint8, "1", "kind"};
  kind.flags = {"host_to_device", "fill"};
  ColumnSpec watts{"power", ColumnType::kFloat64, "W", "power"};
  TraceSchema out;
  out.add({"kernels",
           "kernel_run",
           {time("start"), time("end"), code("name", "kernel"), number("stream"), number("device"),
            number("correlation"), time("ready")}});
  out.add({"api_calls",
           "api_call",
           {time("start"), time("end"), code("name", "call"), code("thread", "thread"),
            number("correlation"), time("waited")}});
  out.add({"copies",
           "copy_run",
           {time("start"), time("end"), kind, number("stream"), number("device")}});
  out.add({"phases", "phase", {time("start"), time("end")}});
  out.add({"timeseries", "sample", {time("time"), watts}});
  ColumnSpec share{"utilization", ColumnType::kFloat64, "1", "share"};
  out.add({"links", "link_interval", {time("start"), time("end"), code("link", "link"), share}});
  return out;
}

class TimelineReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) / (std::string(test->name()) + ".h5");
    writer_ = std::make_unique<Hdf5Writer>(path_, schema());
  }
  void TearDown() override {
    writer_.reset();
    std::filesystem::remove(path_);
    std::filesystem::remove(path_.string() + ".part");
  }

  void row(TableId table, std::vector<Cell> cells) { writer_->consume(table, cells); }

  Timeline finished() {
    writer_->set_dictionary("kernel", {"gemm", "softmax"});
    writer_->set_dictionary("call", {"cudaLaunchKernel"});
    writer_->set_dictionary("thread", {"main"});
    std::vector<std::string> links;
    for (int link = 0; link < 20; ++link) links.push_back("a->b" + std::to_string(link));
    writer_->set_dictionary("link", links);
    writer_->finish();
    return read_timeline(path_);
  }

  // "GPU 1 / stream 7 / gemm"
  static std::string place(const Timeline& timeline, const TimelineSlice& slice) {
    const TimelineTrack& track = timeline.tracks[slice.track];
    return timeline.groups[track.group].name + " / " + track.name + " / " +
           std::string(timeline.text(slice.name));
  }

  static std::string arguments(const Timeline& timeline, const TimelineSlice& slice) {
    std::string out;
    for (std::uint32_t i = 0; i < slice.arguments; ++i) {
      const TimelineArgument& one = timeline.arguments[slice.first_argument + i];
      const std::string value =
          one.is_text ? std::string(timeline.text(static_cast<std::uint32_t>(one.value)))
                      : std::to_string(one.value);
      out += std::string(timeline.text(one.key)) + "=" + value + " ";
    }
    return out;
  }

  std::filesystem::path path_;
  std::unique_ptr<Hdf5Writer> writer_;
};

TEST_F(TimelineReaderTest, PlacesWorkByDeviceAndStreamAndCallsByThread) {
  row(kKernels, {100, 300, 1, 7, 1, 42, 90});
  row(kCalls, {50, 80, 0, 0, 42, 5});
  row(kCopies, {400, 400, 1, 7, 1});
  row(kCopies, {300, 350, 0, 13, 0});
  row(kPhases, {0, 1000});
  const Timeline timeline = finished();
  ASSERT_EQ(timeline.slices.size(), 5U);
  // In order of start.
  EXPECT_EQ(place(timeline, timeline.slices[0]), "phases / phases / phases");
  EXPECT_EQ(place(timeline, timeline.slices[1]), "host / main / cudaLaunchKernel");
  EXPECT_EQ(place(timeline, timeline.slices[2]), "GPU 1 / stream 7 / softmax");
  EXPECT_EQ(place(timeline, timeline.slices[3]), "GPU 0 / stream 13 / Memcpy HtoD");
  EXPECT_EQ(place(timeline, timeline.slices[4]), "GPU 1 / stream 7 / Memset");
  EXPECT_EQ(timeline.slices[1].kind, SliceKind::kCall);
  EXPECT_EQ(timeline.slices[2].kind, SliceKind::kKernel);
  EXPECT_EQ(timeline.slices[3].kind, SliceKind::kCopy);
  EXPECT_EQ(timeline.slices[4].kind, SliceKind::kFill);
  EXPECT_EQ(timeline.slices[2].start, Instant(100));
  EXPECT_EQ(timeline.slices[2].duration, Duration(200));
  EXPECT_EQ(timeline.slices[2].correlation, 42U);
}

TEST_F(TimelineReaderTest, OrdersGroupsAndTracks) {
  row(kKernels, {0, 1, 0, 9, 1, 0, 0});
  row(kKernels, {1, 2, 0, 7, 1, 0, 0});
  row(kKernels, {2, 3, 0, 7, 0, 0, 0});
  row(kCalls, {0, 1, 0, 0, 0, 0});
  const Timeline timeline = finished();
  std::vector<std::string> names;
  for (const TimelineTrack& track : timeline.tracks) {
    names.push_back(timeline.groups[track.group].name + "/" + track.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"host/main", "GPU 0/stream 7", "GPU 1/stream 7",
                                             "GPU 1/stream 9"}));
}

TEST_F(TimelineReaderTest, TurnsOtherColumnsIntoArguments) {
  row(kKernels, {100, 300, 1, 7, 1, 42, 90});
  row(kCalls, {150, 180, 0, 0, 42, 5});
  const Timeline timeline = finished();
  // Times other than the time waited say nothing beside a timeline.
  EXPECT_EQ(arguments(timeline, timeline.slices[0]), "stream=7 device=1 correlation=42 ");
  EXPECT_EQ(arguments(timeline, timeline.slices[1]), "thread=main correlation=42 waited_ps=5 ");
}

TEST_F(TimelineReaderTest, ReadsSeriesAsCounters) {
  row(kKernels, {0, 1, 0, 9, 0, 0, 0});
  row(kPower, {500, 350.5});
  const Timeline timeline = finished();
  ASSERT_EQ(timeline.counters.size(), 1U);
  EXPECT_EQ(timeline.counters[0].name, "power");
  EXPECT_EQ(timeline.counters[0].unit, "W");
  ASSERT_EQ(timeline.counters[0].samples.size(), 1U);
  EXPECT_EQ(timeline.counters[0].samples[0].at, Instant(500));
  EXPECT_EQ(timeline.counters[0].samples[0].value, 350.5);
}

std::vector<std::pair<std::int64_t, double>> samples_of(const TimelineCounter& counter) {
  std::vector<std::pair<std::int64_t, double>> out;
  for (const CounterSample& one : counter.samples) out.emplace_back(one.at.count(), one.value);
  return out;
}

// Link 3 is busy for 100 ps at 0.5 and, over a part of them, 0.25; link 1 for 30 at 1.
TEST_F(TimelineReaderTest, ShowsLinksAsCountersBusiestFirst) {
  row(kLinks, {100, 130, 1, 1.0});
  row(kLinks, {100, 200, 3, 0.5});
  row(kLinks, {150, 160, 3, 0.25});
  const Timeline timeline = finished();
  EXPECT_TRUE(timeline.slices.empty());
  ASSERT_EQ(timeline.counters.size(), 2U);
  EXPECT_EQ(timeline.groups.at(timeline.counters[0].group).name, "network");
  EXPECT_EQ(timeline.counters[0].name, "link a->b3");
  using Samples = std::vector<std::pair<std::int64_t, double>>;
  EXPECT_EQ(samples_of(timeline.counters[0]),
            (Samples{{100, 0.5}, {150, 0.75}, {160, 0.5}, {200, 0}}));
  EXPECT_EQ(timeline.counters[1].name, "link a->b1");
  EXPECT_EQ(samples_of(timeline.counters[1]), (Samples{{100, 1}, {130, 0}}));
  EXPECT_TRUE(timeline.notes.empty());
}

TEST_F(TimelineReaderTest, SaysThatNotAllLinksAreShown) {
  row(kKernels, {0, 1, 0, 9, 0, 0, 0});
  for (std::int32_t link = 0; link < 20; ++link) row(kLinks, {0, 100 + link, link, 1.0});
  const Timeline timeline = finished();
  ASSERT_EQ(timeline.counters.size(), 16U);
  EXPECT_EQ(timeline.counters[0].name, "link a->b19");
  EXPECT_EQ(timeline.notes, std::vector<std::string>{"links: the 16 busiest of 20 are shown"});
}

TEST_F(TimelineReaderTest, RefusesALinkWithoutAName) {
  row(kLinks, {0, 100, 20, 1.0});
  EXPECT_THROW(finished(), ConfigError);
}

TEST_F(TimelineReaderTest, RefusesWorkThatEndsBeforeItStarts) {
  row(kKernels, {100, 99, 0, 7, 0, 0, 0});
  try {
    finished();
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("table kernels, row 0: starts at 100 ps and ends at "
                        "99 ps"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(TimelineReaderTest, RefusesACodeThatItsDictionaryDoesNotHave) {
  row(kKernels, {100, 200, 2, 7, 0, 0, 0});
  EXPECT_THROW(finished(), ConfigError);
}

TEST_F(TimelineReaderTest, RefusesAFileWithNothingToShow) { EXPECT_THROW(finished(), ConfigError); }

TEST_F(TimelineReaderTest, RefusesAMissingFile) {
  EXPECT_THROW(read_timeline("nowhere/run.h5"), ConfigError);
}

TEST_F(TimelineReaderTest, ShowsCodesOfARunThatDidNotEnd) {
  row(kKernels, {100, 200, 1, 7, 0, 0, 0});
  writer_->flush();
  writer_.reset();  // without finish(): what a failed run leaves
  const Timeline timeline = read_timeline(path_.string() + ".part");
  EXPECT_EQ(place(timeline, timeline.slices.at(0)), "GPU 0 / stream 7 / kernels 1");
  EXPECT_FALSE(timeline.notes.empty());
}

}  // namespace
}  // namespace septet
