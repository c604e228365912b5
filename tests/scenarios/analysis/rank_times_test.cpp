#include "scenarios/analysis/rank_times.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

GpuActivity gpu(Duration compute, Duration moving, Duration for_group, Duration for_peer) {
  GpuActivity out;
  out.times.add(ActivityTimes::only(ActivityKind::kCompute), compute);
  out.times.add(ActivityTimes::only(ActivityKind::kMoving), moving);
  out.times.add(ActivityTimes::only(ActivityKind::kWaiting), for_group);
  out.times.add(ActivityTimes::only(ActivityKind::kWaitingForPeer), for_peer);
  return out;
}

TEST(RankTimes, GiveLeastMedianMostAndTheFirstGpuThatHasMost) {
  const std::vector<GpuActivity> gpus = {gpu(10_us, 1_us, 2_us, 3_us), gpu(30_us, 2_us, 0_us, 0_us),
                                         gpu(20_us, 3_us, 1_us, 4_us),
                                         gpu(30_us, 0_us, 5_us, 0_us)};
  const RankTimes times = rank_times(gpus, 40_us);
  EXPECT_EQ(times.gpus, 4U);
  EXPECT_EQ(times.compute.least, 10_us);
  EXPECT_EQ(times.compute.median, 30_us);  // 10, 20, 30, 30
  EXPECT_EQ(times.compute.most, 30_us);
  EXPECT_EQ(times.compute.gpu, 1U);
  EXPECT_EQ(times.waiting.most, 5_us);
  EXPECT_EQ(times.waiting.total, 15_us);  // 5 + 0 + 5 + 5
  EXPECT_EQ(times.waiting.gpu, 0U);
  EXPECT_EQ(times.communication.total, 6_us);
  EXPECT_DOUBLE_EQ(times.bubble(), 7.0 / 160);
}

TEST(RankTimes, AddUpToTheSpanOfAllGpus) {
  const RankTimes times =
      rank_times(std::vector{gpu(10_us, 1_us, 2_us, 3_us), gpu(30_us, 2_us, 0_us, 0_us)}, 40_us);
  EXPECT_EQ(times.rest.most, 24_us);  // 40 - 10 - 1 - 5
  EXPECT_EQ(times.rest.least, 8_us);
  EXPECT_EQ(
      times.compute.total + times.communication.total + times.waiting.total + times.rest.total,
      80_us);
}

TEST(RankTimes, NameTheGpuThatIsWaitedForMost) {
  std::vector<GpuActivity> gpus(3);
  EXPECT_FALSE(rank_times(gpus, 1_us).straggler);
  gpus[1].waited_for = {30_us, 2};
  gpus[2].waited_for = {10_us, 7};
  const auto straggler = rank_times(gpus, 100_us).straggler;
  ASSERT_TRUE(straggler);
  EXPECT_EQ(straggler->gpu, 1U);
  EXPECT_EQ(straggler->waited_for.time, 30_us);
  EXPECT_EQ(straggler->waited_for.collectives, 2U);
  EXPECT_DOUBLE_EQ(straggler->share, 0.75);
}

}  // namespace
}  // namespace septet::test
