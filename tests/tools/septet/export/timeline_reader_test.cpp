#include "tools/septet/export/timeline_reader.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/trace/hdf5_writer.hpp"
#include "core/trace/memory_sink.hpp"
#include "models/records/api_call_record.hpp"
#include "models/records/gpu_records.hpp"
#include "models/records/link_records.hpp"

namespace septet::command {
namespace {

using records::GpuRecord;
using records::KernelRecord;
using trace::column;
using trace::record_table;

constexpr trace::TableId kKernels = 0, kCalls = 1, kCopies = 2, kPhases = 3, kPower = 4, kLinks = 5;

// Tables that no record declares.
struct Phase {
  Instant start, end;
};
struct PowerSample {
  Instant time;
  double power = 0;
};

trace::TraceSchema schema() {
  trace::TraceSchema out;
  out.add(trace::table_of<KernelRecord>());
  out.add(trace::table_of<records::ApiCallRecord>());
  out.add(trace::table_of<records::CopyRecord>());
  out.add(record_table<Phase>(
      "phases", "phase", "",
      {column<Phase>(&Phase::start, "start", ""), column<Phase>(&Phase::end, "end", "")}));
  out.add(
      record_table<PowerSample>("timeseries", "sample", "",
                                {column<PowerSample>(&PowerSample::time, "time", ""),
                                 column<PowerSample>(&PowerSample::power, "power", "").in("W")}));
  out.add(trace::table_of<records::LinkRecord>());
  return out;
}

// The parts of rows that timelines show.
GpuRecord work(std::int64_t start, std::int64_t end, std::int32_t stream, std::int32_t device) {
  GpuRecord out;
  out.start = Instant(start);
  out.end = Instant(end);
  out.stream = stream;
  out.device = device;
  return out;
}

KernelRecord kernel(std::int64_t start, std::int64_t end, std::int32_t name, std::int32_t stream,
                    std::int32_t device, std::int64_t correlation = 0) {
  KernelRecord out{work(start, end, stream, device)};
  out.name = name;
  out.correlation = correlation;
  return out;
}

records::CopyRecord copy(std::int64_t start, std::int64_t end, records::CopyKind kind,
                         std::int32_t stream, std::int32_t device) {
  return {work(start, end, stream, device), kind};
}

records::ApiCallRecord call(std::int64_t start, std::int64_t end, std::int64_t correlation = 0,
                            Duration waited = {}) {
  records::ApiCallRecord out;
  out.start = Instant(start);
  out.end = Instant(end);
  out.waited = waited;
  out.correlation = correlation;
  return out;
}

auto link(std::int64_t start, std::int64_t end, std::int32_t code, double utilization) {
  return records::LinkRecord{Instant(start), Instant(end), code, {}, utilization};
}

class TimelineReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) / (std::string(test->name()) + ".h5");
    writer_ = std::make_unique<trace::Hdf5Writer>(path_, schema());
  }
  void TearDown() override {
    writer_.reset();
    std::filesystem::remove(path_);
    std::filesystem::remove(path_.string() + ".part");
  }

  template <class Record>
  void row(trace::TableId table, const Record& record) {
    writer_->consume(table, trace::row_of(record));
  }

  Timeline finished() {
    writer_->set_dictionary("kernel", {"gemm", "softmax"});
    writer_->set_dictionary("call", {"cudaLaunchKernel"});
    writer_->set_dictionary("thread", {"main"});
    std::vector<std::string> links;
    for (int code = 0; code < 20; ++code) links.push_back("a->b" + std::to_string(code));
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
  std::unique_ptr<trace::Hdf5Writer> writer_;
};

TEST_F(TimelineReaderTest, PlacesWorkByDeviceAndStreamAndCallsByThread) {
  row(kKernels, kernel(100, 300, 1, 7, 1, 42));
  row(kCalls, call(50, 80, 42));
  row(kCopies, copy(400, 400, records::CopyKind::kMemset, 7, 1));
  row(kCopies, copy(300, 350, records::CopyKind::kHostToDevice, 13, 0));
  row(kPhases, Phase{Instant(0), Instant(1000)});
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
  EXPECT_EQ(timeline.slices[4].kind, SliceKind::kMemset);
  EXPECT_EQ(timeline.slices[2].start, Instant(100));
  EXPECT_EQ(timeline.slices[2].duration, Duration(200));
  EXPECT_EQ(timeline.slices[2].correlation, 42U);
}

TEST_F(TimelineReaderTest, OrdersGroupsAndTracks) {
  row(kKernels, kernel(0, 1, 0, 9, 1));
  row(kKernels, kernel(1, 2, 0, 7, 1));
  row(kKernels, kernel(2, 3, 0, 7, 0));
  row(kCalls, call(0, 1));
  const Timeline timeline = finished();
  std::vector<std::string> names;
  for (const TimelineTrack& track : timeline.tracks) {
    names.push_back(timeline.groups[track.group].name + "/" + track.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"host/main", "GPU 0/stream 7", "GPU 1/stream 7",
                                             "GPU 1/stream 9"}));
}

TEST_F(TimelineReaderTest, TurnsOtherColumnsIntoArguments) {
  row(kKernels, kernel(100, 300, 1, 7, 1, 42));
  row(kCalls, call(150, 180, 42, 5_ps));
  const Timeline timeline = finished();
  // Times other than the time waited say nothing beside a timeline.
  EXPECT_EQ(arguments(timeline, timeline.slices[0]),
            "blocks=0 stream=7 device=1 cause=submission thread=main call=0 node=-1 correlation=42 "
            "waited_ps=-1 ");
  EXPECT_EQ(arguments(timeline, timeline.slices[1]),
            "waited_ps=5 thread=main stream=-1 correlation=42 kind=api_call call=0 object=-1 "
            "manner=plain ");
}

TEST_F(TimelineReaderTest, ShowsTheSameFromMemoryAsFromTheFile) {
  trace::MemorySink memory(schema());
  const auto both = [&](trace::TableId table, const auto& record) {
    row(table, record);
    memory.consume(table, trace::row_of(record));
  };
  both(kKernels, kernel(100, 300, 1, 7, 1, 42));
  both(kCalls, call(50, 80, 42));
  both(kCopies, copy(400, 400, records::CopyKind::kMemset, 7, 1));
  both(kPower, PowerSample{Instant(500), 350.5});
  both(kLinks, link(100, 130, 1, 1.0));
  const Timeline read = finished();
  const Dictionaries dictionaries = {{"kernel", {"gemm", "softmax"}},
                                     {"call", {"cudaLaunchKernel"}},
                                     {"thread", {"main"}},
                                     {"link", {"a->b0", "a->b1"}}};
  const Timeline kept = timeline_of({"memory", memory.tables(), dictionaries});
  ASSERT_EQ(kept.slices.size(), read.slices.size());
  for (std::size_t i = 0; i < read.slices.size(); ++i) {
    EXPECT_EQ(place(kept, kept.slices[i]), place(read, read.slices[i]));
    EXPECT_EQ(arguments(kept, kept.slices[i]), arguments(read, read.slices[i]));
    EXPECT_EQ(kept.slices[i].start, read.slices[i].start);
  }
  ASSERT_EQ(kept.counters.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(kept.counters[i].name, read.counters[i].name);
}

TEST_F(TimelineReaderTest, ReadsSeriesAsCounters) {
  row(kKernels, kernel(0, 1, 0, 9, 0));
  row(kPower, PowerSample{Instant(500), 350.5});
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
  row(kLinks, link(100, 130, 1, 1.0));
  row(kLinks, link(100, 200, 3, 0.5));
  row(kLinks, link(150, 160, 3, 0.25));
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
  row(kKernels, kernel(0, 1, 0, 9, 0));
  for (std::int32_t code = 0; code < 20; ++code) row(kLinks, link(0, 100 + code, code, 1.0));
  const Timeline timeline = finished();
  ASSERT_EQ(timeline.counters.size(), 16U);
  EXPECT_EQ(timeline.counters[0].name, "link a->b19");
  EXPECT_EQ(timeline.notes, std::vector<std::string>{"links: showing the 16 busiest of 20"});
}

TEST_F(TimelineReaderTest, RefusesALinkWithoutAName) {
  row(kLinks, link(0, 100, 20, 1.0));
  EXPECT_THROW(finished(), ConfigError);
}

TEST_F(TimelineReaderTest, RefusesWorkThatEndsBeforeItStarts) {
  row(kKernels, kernel(100, 99, 0, 7, 0));
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
  row(kKernels, kernel(100, 200, 2, 7, 0));
  EXPECT_THROW(finished(), ConfigError);
}

TEST_F(TimelineReaderTest, RefusesAFileWithNothingToShow) { EXPECT_THROW(finished(), ConfigError); }

TEST_F(TimelineReaderTest, RefusesAMissingFile) {
  EXPECT_THROW(read_timeline("nowhere/run.h5"), ConfigError);
}

TEST_F(TimelineReaderTest, ShowsCodesOfARunThatDidNotEnd) {
  row(kKernels, kernel(100, 200, 1, 7, 0));
  writer_->flush();
  writer_.reset();  // without finish(): what a failed run leaves
  const Timeline timeline = read_timeline(path_.string() + ".part");
  EXPECT_EQ(place(timeline, timeline.slices.at(0)), "GPU 0 / stream 7 / kernels 1");
  EXPECT_FALSE(timeline.notes.empty());
}

}  // namespace
}  // namespace septet::command
