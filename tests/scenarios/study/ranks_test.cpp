// Recordings of two ranks, replayed as one run.
#include <algorithm>

#include <gtest/gtest.h>

#include "models/workload/recorded/import/join_ranks.hpp"
#include "models/workload/recorded/recording/rank_order.hpp"
#include "scenarios/replay/start_error.hpp"
#include "scenarios/study/recording_study.hpp"
#include "tests/models/workload/recorded/import/import_fixture.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)";

recorded::RankRecording recording(RecordingMaker& maker, std::int64_t begin_us) {
  recorded::RecordedTrace trace = maker.make();
  trace.origin_ns = begin_us * 1000;
  recorded::ImportOptions options;
  options.latencies = round_latencies();
  recorded::Import import = import_recording(trace, options);
  const std::int64_t begin = begin_of(trace, import);
  return {std::move(import), begin};
}

// Rank 0 launches an all-reduce at 0 and waits in it from 7 us on. Rank 1 begins 10 us later, runs
// a kernel of 20 us first, and is in the all-reduce from 38 us on. Both end at 100 us.
recorded::Import two_ranks() {
  RecordingMaker first;
  first.call("cudaLaunchKernel", 0, 5, 1);
  first.kernel(1, 7, 100, 7, kAllReduce);
  first.call("cudaDeviceSynchronize", 10, 105, 3);
  RecordingMaker second;
  launch(second, 1, 0, 7, 27, 7);
  second.call("cudaLaunchKernel", 5, 10, 2);
  second.kernel(2, 28, 90, 7, kAllReduce);
  second.call("cudaDeviceSynchronize", 15, 95, 3);
  std::vector<recorded::RankRecording> ranks;
  ranks.push_back(recording(first, 1'000'000));
  ranks.push_back(recording(second, 1'000'010));
  recorded::Import joined = join_ranks(std::move(ranks));
  check(joined.program);
  return joined;
}

TEST(ReplayOfRanks, MatchesCollectivesThatEndTogether) {
  const recorded::Import joined = two_ranks();
  ASSERT_EQ(joined.program.collectives.size(), 1U);
  EXPECT_EQ(joined.program.collectives[0].recorded, 62_us);  // from 38 us on
  EXPECT_EQ(joined.program.communicators[0].devices, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(joined.anomalies.at("collectives matched over the given ranks"), 1U);
  EXPECT_EQ(joined.measured, 105_us);
}

study::Study study_of(const recorded::Import& joined) {
  return study::Study(
      study::recorded_case("ranks", joined.program, joined.latencies, round_system(), {}));
}

TEST(ReplayOfRanks, GivesTheRecordedTimesWithoutAChange) {
  const recorded::Import joined = two_ranks();
  study::Study study = study_of(joined);
  const replay::StartError error = replay::start_error(joined, study.run_baseline());
  EXPECT_EQ(study.result().baseline.summary.span, 105_us);
  EXPECT_EQ(error.max, 0_us);
  EXPECT_EQ(error.commands, 3U);
}

TEST(ReplayOfRanks, LetsALateRankDelayTheOther) {
  study::Study study = study_of(two_ranks());
  study.run_baseline();
  study.run_what_if("kernel=^kernel$:scale=2", {"--what-if"});  // 20 us more on rank 1 alone
  EXPECT_EQ(study.result().what_ifs.at(0).summary.span, 125_us);
}

TEST(ReplayOfRanks, LeavesCollectivesWithoutAPartnerAsTheyAre) {
  RecordingMaker first;
  first.call("cudaLaunchKernel", 0, 5, 1);
  first.kernel(1, 7, 100, 7, kAllReduce);
  RecordingMaker second;
  second.call("cudaLaunchKernel", 0, 5, 1);
  second.kernel(1, 7, 200, 7, kAllReduce);
  std::vector<recorded::RankRecording> ranks;
  ranks.push_back(recording(first, 0));
  ranks.push_back(recording(second, 0));
  const recorded::Import joined = join_ranks(std::move(ranks));
  EXPECT_TRUE(joined.program.collectives.empty());
  EXPECT_EQ(joined.anomalies.at("collectives without a partner among the given ranks"), 2U);
}

recorded::RecordedTrace of_rank(std::int64_t rank, const std::string& file,
                                std::int64_t origin_ns = 0) {
  recorded::RecordedTrace trace;
  trace.file = file;
  trace.rank = rank;
  trace.origin_ns = origin_ns;
  return trace;
}

std::vector<std::string> files_of(const std::vector<recorded::RecordedTrace>& traces) {
  std::vector<std::string> out;
  for (const recorded::RecordedTrace& trace : traces) out.push_back(trace.file);
  return out;
}

TEST(ReplayOfRanks, TakesRecordingsByRankInWhateverOrderTheyCome) {
  std::vector<recorded::RecordedTrace> traces = {of_rank(1, "a", 5), of_rank(0, "c", 9),
                                                 of_rank(2, "b", 1)};
  const std::vector<std::string> wanted = {"c", "a", "b"};
  for (int order = 0; order < 3; ++order) {
    std::rotate(traces.begin(), traces.begin() + 1, traces.end());
    std::vector<recorded::RecordedTrace> given = traces;
    order_by_rank(given);
    EXPECT_EQ(files_of(given), wanted);
  }
  std::vector<recorded::RecordedTrace> rankless = {of_rank(-1, "a", 5), of_rank(-1, "b", 1)};
  order_by_rank(rankless);
  EXPECT_EQ(files_of(rankless), (std::vector<std::string>{"b", "a"}));
}

TEST(ReplayOfRanks, RefusesARankTwiceAndNamesBothFiles) {
  const auto complaint = [](std::vector<recorded::RecordedTrace> traces) {
    return error_of<ConfigError>([&] { order_by_rank(traces); });
  };
  EXPECT_EQ(complaint({of_rank(3, "b"), of_rank(0, "c"), of_rank(3, "a", 1)}),
            "a: rank 3, the same as b, wanted each rank once");
  EXPECT_EQ(complaint({of_rank(-1, "b", 7), of_rank(-1, "a", 7)}),
            "b: the same recording as a, wanted each rank once");
  recorded::RecordedTrace other = of_rank(-1, "a", 7);  // another process that began at that time
  other.threads.push_back({.process = 12, .thread = 0, .name = {}});
  EXPECT_EQ(complaint({of_rank(-1, "b", 7), other}), "no error");
}

}  // namespace
}  // namespace septet::test
