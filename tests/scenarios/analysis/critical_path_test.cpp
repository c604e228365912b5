#include "scenarios/analysis/critical_path.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/scenarios/analysis/made_rows.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// "kernel 7-17, dependency 17-18, ..." in microseconds.
std::string text(const std::vector<analysis::PathLink>& path) {
  std::string out;
  for (const analysis::PathLink& link : path) {
    if (!out.empty()) out += ", ";
    const auto us = [](Instant t) { return std::to_string((t - Instant()).count() / 1'000'000); };
    out += std::string(text_of(link.kind)) + " " + us(link.begin) + "-" + us(link.end);
  }
  return out;
}

std::string path_of(const analysis::RunRows& rows) { return text(critical_path(rows)); }

TEST(CriticalPath, GoesBackOverTheStreamToTheFirstLaunch) {
  EXPECT_EQ(path_of(rows_of({kernel(0_us, 5_us, 7_us, 17_us),
                             kernel(4_us, 9_us, 18_us, 28_us, records::WaitCause::kStreamOrder)},
                            {call(0_us, 4_us), call(4_us, 8_us), call(8_us, 30_us, 21_us)}, 30_us)),
            "launch latency 0-7, kernel 7-17, dependency 17-18, kernel 18-28, "
            "synchronization 28-30");
}

TEST(CriticalPath, GoesBackOverAWaitForSomethingUnrecorded) {
  analysis::GpuWork held = kernel(4_us, 9_us, 48_us, 58_us, records::WaitCause::kUnrecorded);
  held.ready = at(18_us);
  EXPECT_EQ(path_of(rows_of({kernel(0_us, 5_us, 7_us, 17_us), held},
                            {call(0_us, 4_us), call(4_us, 8_us)}, 58_us)),
            "launch latency 0-7, kernel 7-17, dependency 17-18, unrecorded 18-48, kernel 48-58");
}

TEST(CriticalPath, GoesBackOverCallsAndOwnWorkOfTheThreadThatSubmitted) {
  EXPECT_EQ(path_of(rows_of({kernel(9_us, 14_us, 16_us, 26_us)},
                            {call(2_us, 6_us), call(9_us, 13_us)}, 26_us)),
            "host work 0-2, api call 2-6, host work 6-9, launch latency 9-16, kernel 16-26");
}

TEST(CriticalPath, GoesBackThroughASynchronisationToTheWorkThatItWaitedFor) {
  // The synchronisation waits from 4 to 18; own work until 24.
  EXPECT_EQ(
      path_of(rows_of({kernel(0_us, 5_us, 7_us, 17_us), kernel(24_us, 29_us, 31_us, 41_us)},
                      {call(0_us, 4_us), call(4_us, 19_us, 14_us), call(24_us, 28_us)}, 41_us)),
      "launch latency 0-7, kernel 7-17, synchronization 17-19, host work 19-24, "
      "launch latency 24-31, kernel 31-41");
}

TEST(CriticalPath, GoesOnBeforeASynchronisationWhoseWorkHadEndedAlready) {
  // The kernel ended at 16, which the host saw at 18: the synchronisation from 17 waited for 1 us.
  EXPECT_EQ(
      path_of(rows_of({kernel(2_us, 7_us, 9_us, 16_us), kernel(24_us, 29_us, 31_us, 41_us)},
                      {call(2_us, 6_us), call(17_us, 19_us, 1_us), call(24_us, 28_us)}, 41_us)),
      "host work 0-2, api call 2-6, host work 6-17, synchronization 17-19, "
      "host work 19-24, launch latency 24-31, kernel 31-41");
}

TEST(CriticalPath, GoesOnAtTheRankForWhichACollectiveWaited) {
  // GPU 0 is there from 18 on; GPU 1's kernel runs until 49.
  const analysis::GpuWork late = on_device(of_thread(kernel(30_us, 35_us, 37_us, 49_us), 1), 1);
  const analysis::GpuWork last =
      of_thread(kernel(34_us, 39_us, 50_us, 60_us, records::WaitCause::kStreamOrder), 1);
  EXPECT_EQ(
      path_of(rows_of(
          {kernel(0_us, 5_us, 7_us, 17_us),
           as_collective(kernel(4_us, 9_us, 18_us, 60_us, records::WaitCause::kStreamOrder), 32_us),
           late, as_collective(last, 0_us, 1)},
          {call(0_us, 4_us), call(4_us, 8_us), call(30_us, 34_us, 0_us, 1)}, 60_us)),
      "host work 0-30, launch latency 30-37, kernel 37-49, dependency 49-50, communication 50-60");
}

TEST(CriticalPath, WaitsForARankWithoutRowsOnceItsOwnGpuHasNoMoreToDo) {
  EXPECT_EQ(path_of(rows_of({kernel(0_us, 5_us, 7_us, 17_us),
                             as_collective(kernel(4_us, 9_us, 10_us, 60_us), 40_us)},
                            {call(0_us, 4_us), call(4_us, 8_us)}, 60_us)),
            "launch latency 0-7, kernel 7-17, waiting for ranks 17-50, communication 50-60");
}

TEST(CriticalPath, NamesTheRoomThatAKernelWaitedFor) {
  EXPECT_EQ(
      path_of(rows_of({kernel(0_us, 5_us, 7_us, 17_us),
                       kernel(4_us, 9_us, 17_us, 27_us, records::WaitCause::kSmResources)},
                      {call(0_us, 4_us), call(4_us, 8_us), call(8_us, 29_us, 20_us)}, 29_us)),
      "launch latency 0-7, kernel 7-17, SM resources 17-17, kernel 17-27, synchronization 27-29");
}

TEST(CriticalPath, NamesTheRoomThatAKernelWhichStillRunsMade) {
  analysis::GpuWork late = kernel(4_us, 9_us, 30_us, 40_us, records::WaitCause::kSmResources);
  late.ready = Instant() + 11_us;
  EXPECT_EQ(path_of(rows_of({kernel(0_us, 5_us, 7_us, 37_us), late},
                            {call(0_us, 4_us), call(4_us, 8_us), call(8_us, 42_us, 33_us)}, 42_us)),
            "api call 0-4, launch latency 4-11, SM resources 11-30, kernel 30-40, "
            "synchronization 40-42");
}

TEST(CriticalPath, CrossesToTheStreamThatRecordedTheEvent) {
  EXPECT_EQ(
      path_of(rows_of({kernel(0_us, 5_us, 7_us, 17_us),
                       on_stream(kernel(4_us, 9_us, 19_us, 29_us, records::WaitCause::kEvent), 1)},
                      {call(0_us, 4_us), call(4_us, 8_us)}, 29_us)),
      "launch latency 0-7, kernel 7-17, dependency 17-19, kernel 19-29");
}

TEST(CriticalPath, StaysInItsStreamWhereTheStreamHeldItUp) {
  // A kernel of stream 1 ends later than the one that mattered.
  EXPECT_EQ(path_of(rows_of(
                {kernel(0_us, 5_us, 7_us, 17_us), on_stream(kernel(4_us, 9_us, 11_us, 18_us), 1),
                 kernel(8_us, 13_us, 18_us, 28_us, records::WaitCause::kStreamOrder)},
                {call(0_us, 4_us), call(4_us, 8_us), call(8_us, 12_us)}, 28_us)),
            "launch latency 0-7, kernel 7-17, dependency 17-18, kernel 18-28");
}

TEST(CriticalPath, NamesCopies) {
  EXPECT_EQ(path_of(rows_of({as_copy(kernel(0_us, 5_us, 7_us, 17_us))}, {call(0_us, 4_us)}, 17_us)),
            "launch latency 0-7, copy 7-17");
}

TEST(CriticalPath, OfARunWithoutGpuWorkIsEmpty) {
  EXPECT_TRUE(critical_path(rows_of({}, {call(0_us, 4_us)}, 4_us)).empty());
}

TEST(CriticalPath, IsOneChainFromTheFirstCallToTheEndOfAnyProgram) {
  system::SystemSpec system = round_system();
  system.gpu.copy.host_to_device = 1_GBps;
  system.connections = 2;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const TimedRun run(random_program(seed), system);
    const std::vector<analysis::PathLink> path = critical_path(run.rows());
    ASSERT_FALSE(path.empty()) << "seed " << seed;
    EXPECT_EQ(path.front().begin, run.rows().first) << "seed " << seed;
    EXPECT_EQ(path.back().end, run.rows().last) << "seed " << seed;
    for (std::size_t i = 1; i < path.size(); ++i) {
      EXPECT_LE(path[i].begin, path[i].end) << "seed " << seed << ", link " << i;
      EXPECT_EQ(path[i].begin, path[i - 1].end) << "seed " << seed << ", link " << i;
    }
  }
}

}  // namespace
}  // namespace septet::test
