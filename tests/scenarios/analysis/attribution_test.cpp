#include "scenarios/analysis/attribution.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/analysis/made_rows.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

using Category = analysis::TimeCategory;

TEST(Attribution, TheWayFromTheCallToTheFirstBlockIsLaunchBound) {
  const analysis::Attribution time =
      attribute(rows_of({kernel(0_us, 5_us, 7_us, 17_us)}, {call(0_us, 4_us)}, 17_us));
  EXPECT_EQ(time[Category::kLaunchBound], 7_us);
  EXPECT_EQ(time[Category::kGpuBusy], 10_us);
  EXPECT_EQ(time.total(), 17_us);
}

TEST(Attribution, SumsPassTheLongestTime) {
  // Two kernels beside each other for 9 * 10^6 s each; times end at 9.2 * 10^6 s.
  const Duration long_time = 9'000'000_s;
  const analysis::RunRows rows = rows_of(
      {kernel(0_us, 0_us, 0_us, long_time), kernel(0_us, 0_us, 0_us, long_time)}, {}, long_time);
  ASSERT_EQ(analysis::top_kernels(rows).size(), 1U);
  EXPECT_EQ(to_us(analysis::top_kernels(rows)[0].working()), 18e12);
  EXPECT_EQ(analysis::attribute(rows).total(), long_time);
}

TEST(Attribution, WhatTheThreadDoesBeforeItsCallIsHostWork) {
  const analysis::Attribution time =
      attribute(rows_of({kernel(10_us, 15_us, 17_us, 27_us)}, {call(10_us, 14_us)}, 27_us));
  EXPECT_EQ(time[Category::kHostWork], 10_us);
  EXPECT_EQ(time[Category::kLaunchBound], 7_us);
}

TEST(Attribution, OtherCallsOfTheThreadBeforeItAreLaunchBound) {
  const analysis::Attribution time = attribute(
      rows_of({kernel(10_us, 15_us, 17_us, 27_us)}, {call(2_us, 5_us), call(10_us, 14_us)}, 27_us));
  EXPECT_EQ(time[Category::kLaunchBound], 10_us);  // 3 + 7
  EXPECT_EQ(time[Category::kHostWork], 7_us);      // 2 + 5
}

TEST(Attribution, ASynchronisationEndsInWaitingAndThenInItsReturn) {
  // The synchronisation from 4 waits until 18 and returns at 19; the next launch begins at 22.
  const analysis::Attribution time =
      attribute(rows_of({kernel(0_us, 5_us, 7_us, 17_us), kernel(22_us, 27_us, 29_us, 39_us)},
                        {call(0_us, 4_us), call(4_us, 19_us, 14_us), call(22_us, 26_us)}, 39_us));
  EXPECT_EQ(time[Category::kSynchronization], 1_us);     // 17 to 18
  EXPECT_EQ(time[Category::kHostWork], 3_us);            // 19 to 22
  EXPECT_EQ(time[Category::kLaunchBound], 7_us + 8_us);  // before 7; 18 to 19 and 22 to 29
  EXPECT_EQ(time[Category::kGpuBusy], 20_us);
  EXPECT_EQ(time.total(), 39_us);
}

TEST(Attribution, AGapBeforeWorkThatHasArrivedIsADependency) {
  for (const records::WaitCause cause :
       {records::WaitCause::kStreamOrder, records::WaitCause::kEvent,
        records::WaitCause::kConnection, records::WaitCause::kResidentGrids,
        records::WaitCause::kGraph}) {
    const analysis::Attribution time = attribute(
        rows_of({kernel(0_us, 5_us, 7_us, 17_us), kernel(4_us, 9_us, 18_us, 28_us, cause)},
                {call(0_us, 4_us), call(4_us, 8_us)}, 28_us));
    EXPECT_EQ(time[Category::kDependency], 1_us);
    EXPECT_EQ(time[Category::kLaunchBound], 7_us);
  }
}

TEST(Attribution, AWaitForSomethingUnrecordedIsTimeOfItsOwn) {
  // Ready at 18, a gap after the kernel before; held until 48.
  analysis::GpuWork held = kernel(4_us, 9_us, 48_us, 58_us, records::WaitCause::kUnrecorded);
  held.ready = at(18_us);
  const analysis::RunRows rows =
      rows_of({kernel(0_us, 5_us, 7_us, 17_us), held}, {call(0_us, 4_us), call(4_us, 8_us)}, 58_us);
  const analysis::Attribution time = attribute(rows);
  EXPECT_EQ(time[Category::kUnrecorded], 30_us);
  EXPECT_EQ(time[Category::kDependency], 1_us);
  EXPECT_EQ(time[Category::kGpuBusy], 20_us);
  EXPECT_EQ(time.total(), 58_us);
  const std::vector<analysis::UnrecordedWait> waits = analysis::unrecorded_waits(rows);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0].count, 1U);
  EXPECT_EQ(waits[0].time, TotalTime(30_us));
}

TEST(Attribution, CallsThatSubmitNothingAreNotPartOfALaunch) {
  records::ApiCallRecord creation = call(0_us, 50_us);
  creation.kind = program::CallKind::kApi;
  const analysis::Attribution time = attribute(
      rows_of({kernel(50_us, 55_us, 57_us, 67_us)}, {creation, call(50_us, 54_us)}, 67_us));
  EXPECT_EQ(time[Category::kOtherCalls], 50_us);
  EXPECT_EQ(time[Category::kLaunchBound], 7_us);
}

TEST(Attribution, AGapBeforeWorkThatIsStillStartingIsLaunchBound) {
  const analysis::Attribution time =
      attribute(rows_of({kernel(0_us, 5_us, 7_us, 17_us), kernel(11_us, 16_us, 18_us, 28_us)},
                        {call(0_us, 4_us), call(11_us, 15_us)}, 28_us));
  EXPECT_EQ(time[Category::kLaunchBound], 8_us);
  EXPECT_EQ(time[Category::kDependency], 0_us);
}

TEST(Attribution, AGapMayHoldAllOfThem) {
  // Idle from 17: own work until 20, the call until 24, arrival at 25, an event until 30.
  const analysis::Attribution time =
      attribute(rows_of({kernel(0_us, 5_us, 7_us, 17_us),
                         kernel(20_us, 25_us, 30_us, 40_us, records::WaitCause::kEvent)},
                        {call(0_us, 4_us), call(20_us, 24_us)}, 40_us));
  EXPECT_EQ(time[Category::kHostWork], 3_us);
  EXPECT_EQ(time[Category::kLaunchBound], 7_us + 5_us);
  EXPECT_EQ(time[Category::kDependency], 5_us);
}

TEST(Attribution, TheThreadThatSubmitsNextIsTheOneThatCounts) {
  // Thread 0 calls all the time; thread 1, which launches, does its own work until 10.
  const analysis::Attribution time =
      attribute(rows_of({of_thread(kernel(10_us, 15_us, 17_us, 27_us), 1)},
                        {call(0_us, 20_us), call(10_us, 14_us, 0_us, 1)}, 27_us));
  EXPECT_EQ(time[Category::kHostWork], 10_us);
  EXPECT_EQ(time[Category::kLaunchBound], 7_us);
}

TEST(Attribution, KernelsComeBeforeCopiesThatRunAtTheSameTime) {
  const analysis::Attribution time =
      attribute(rows_of({as_copy(kernel(0_us, 0_us, 0_us, 10_us)), kernel(0_us, 0_us, 6_us, 14_us),
                         as_copy(kernel(0_us, 0_us, 12_us, 20_us))},
                        {}, 20_us));
  EXPECT_EQ(time[Category::kGpuBusy], 8_us);
  EXPECT_EQ(time[Category::kCopies], 12_us);
}

TEST(Attribution, OverlappingKernelsCountOnce) {
  const analysis::Attribution time =
      attribute(rows_of({kernel(0_us, 0_us, 0_us, 10_us), kernel(0_us, 0_us, 2_us, 5_us),
                         kernel(0_us, 0_us, 8_us, 12_us)},
                        {}, 12_us));
  EXPECT_EQ(time[Category::kGpuBusy], 12_us);
}

TEST(Attribution, WorkOfNoTimeEndsNoGap) {
  // The gap ends at 15; before 8 the thread called for 4 us.
  const analysis::Attribution time =
      attribute(rows_of({kernel(0_us, 5_us, 7_us, 7_us), kernel(8_us, 13_us, 15_us, 25_us)},
                        {call(0_us, 4_us), call(8_us, 12_us)}, 25_us));
  EXPECT_EQ(time[Category::kLaunchBound], 11_us);
  EXPECT_EQ(time[Category::kHostWork], 4_us);
  EXPECT_EQ(time[Category::kGpuBusy], 10_us);
}

TEST(Attribution, AfterTheLastWorkTheGpuIsIdle) {
  EXPECT_EQ(attribute(rows_of({kernel(0_us, 0_us, 0_us, 10_us)}, {}, 13_us))[Category::kIdle],
            3_us);
  EXPECT_EQ(attribute(rows_of({}, {call(0_us, 4_us)}, 4_us))[Category::kIdle], 4_us);
}

TEST(Attribution, AddsUpToTheSpanOfAnyProgram) {
  system::SystemSpec system = round_system();
  system.gpu.copy.host_to_device = 1_GBps;
  system.connections = 2;
  system.host.pending_launches_max = 4;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const TimedRun run(random_program(seed), system);
    const analysis::Attribution time = attribute(run.rows());
    EXPECT_EQ(time.total(), run.rows().span()) << "seed " << seed;
    for (const TotalTime part : time.time) EXPECT_GE(part, 0_us) << "seed " << seed;
  }
}

TEST(Attribution, TellsComputeCommunicationAndWaitingApart) {
  // Complete at 35.
  const analysis::Attribution time = attribute(rows_of(
      {kernel(0_us, 0_us, 0_us, 10_us), as_collective(kernel(0_us, 0_us, 10_us, 50_us), 25_us)}, {},
      50_us));
  EXPECT_EQ(time[Category::kCompute], 10_us);
  EXPECT_EQ(time[Category::kWaitingForRanks], 25_us);
  EXPECT_EQ(time[Category::kCommunication], 15_us);
  EXPECT_EQ(time[Category::kGpuBusy], 0_us);
  EXPECT_EQ(time.hidden, 0_us);
  EXPECT_EQ(time.total(), 50_us);
}

TEST(Attribution, CountsCommunicationBesideComputeAsCompute) {
  // Complete at 20, while a kernel runs until 30.
  const analysis::Attribution time = attribute(rows_of(
      {kernel(0_us, 0_us, 0_us, 30_us), as_collective(kernel(0_us, 0_us, 10_us, 50_us), 10_us)}, {},
      50_us));
  EXPECT_EQ(time[Category::kCompute], 30_us);
  EXPECT_EQ(time[Category::kCommunication], 20_us);
  EXPECT_EQ(time[Category::kWaitingForRanks], 0_us);
  EXPECT_EQ(time.hidden, 10_us);
}

TEST(Attribution, LooksAtEachGpuOfARunWithCollectives) {
  // GPU 1 has nothing to do from 20 on, whatever GPU 0 does.
  const analysis::Attribution time = attribute(rows_of(
      {kernel(0_us, 0_us, 0_us, 40_us), as_collective(kernel(0_us, 0_us, 0_us, 20_us), 0_us, 1)},
      {}, 40_us));
  EXPECT_EQ(time.gpus, 2U);
  EXPECT_EQ(time[Category::kIdle], 20_us);
  EXPECT_EQ(time.mean(Category::kCompute), 20_us);
  EXPECT_EQ(time.total(), 2 * 40_us);
}

TEST(Attribution, NamesEachCategoryThatARunCanHave) {
  const auto names = [](bool collectives) {
    analysis::Attribution time;
    time.collectives = collectives;
    std::string out;
    for (const Category category : categories_of(time)) out += std::string(text_of(category)) + " ";
    return out;
  };
  EXPECT_EQ(names(false),
            "gpu_busy copies launch_bound dependency host_work synchronization other_calls "
            "unrecorded idle ");
  EXPECT_EQ(names(true),
            "compute communication waiting_for_ranks copies launch_bound dependency host_work "
            "synchronization other_calls unrecorded idle ");
}

TEST(TopKernels, LeaveOutWhatCollectivesWaited) {
  analysis::GpuWork receive = as_collective(kernel(0_us, 0_us, 0_us, 100_us), 95_us);
  receive.name = 1;
  const std::vector<analysis::KernelTotal> totals =
      top_kernels(rows_of({receive, kernel(0_us, 0_us, 20_us, 30_us)}, {}, 100_us));
  ASSERT_EQ(totals.size(), 2U);
  EXPECT_EQ(totals[0].name, 0);
  EXPECT_FALSE(totals[0].collective);
  EXPECT_EQ(totals[1].time, 100_us);
  EXPECT_EQ(totals[1].waiting, 95_us);
  EXPECT_EQ(totals[1].working(), 5_us);
}

TEST(TopKernels, AddUpByNameLongestFirst) {
  analysis::GpuWork other = kernel(0_us, 0_us, 20_us, 50_us);
  other.name = 1;
  analysis::GpuWork copy = as_copy(kernel(0_us, 0_us, 50_us, 150_us));
  const std::vector<analysis::KernelTotal> totals = top_kernels(rows_of(
      {kernel(0_us, 0_us, 0_us, 10_us), kernel(0_us, 0_us, 5_us, 15_us), other, copy}, {}, 150_us));
  ASSERT_EQ(totals.size(), 2U);
  EXPECT_EQ(totals[0].name, 1);
  EXPECT_EQ(totals[0].time, 30_us);
  EXPECT_EQ(totals[0].count, 1U);
  EXPECT_EQ(totals[1].time, 20_us);
  EXPECT_EQ(totals[1].count, 2U);
}

}  // namespace
}  // namespace septet::test
