#include "scenarios/analysis/rank_times.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::GpuActivity gpu(Duration compute, Duration moving, Duration for_group, Duration for_peer) {
  system::GpuActivity out;
  out.times.add(gpu::ActivityTimes::only(gpu::ActivityKind::kCompute), compute);
  out.times.add(gpu::ActivityTimes::only(gpu::ActivityKind::kMoving), moving);
  out.times.add(gpu::ActivityTimes::only(gpu::ActivityKind::kWaiting), for_group);
  out.times.add(gpu::ActivityTimes::only(gpu::ActivityKind::kWaitingForPeer), for_peer);
  return out;
}

TEST(RankTimes, GiveLeastMedianMostAndTheFirstGpuThatHasMost) {
  const std::vector<system::GpuActivity> gpus = {
      gpu(10_us, 1_us, 2_us, 3_us), gpu(30_us, 2_us, 0_us, 0_us), gpu(20_us, 3_us, 1_us, 4_us),
      gpu(30_us, 0_us, 5_us, 0_us)};
  const analysis::RankTimes times = analysis::rank_times(gpus, 40_us);
  EXPECT_EQ(times.gpus, 4U);
  EXPECT_EQ(times.compute.min, 10_us);
  EXPECT_EQ(times.compute.median, 25_us);  // 10, 20, 30, 30
  EXPECT_EQ(times.compute.max, 30_us);
  EXPECT_EQ(times.compute.gpu, 1U);
  EXPECT_EQ(times.waiting.max, 5_us);
  EXPECT_DOUBLE_EQ(times.waiting.seconds, 15e-6);  // 5 + 0 + 5 + 5
  EXPECT_EQ(times.waiting.gpu, 0U);
  EXPECT_DOUBLE_EQ(times.communication.seconds, 6e-6);
  EXPECT_DOUBLE_EQ(times.share(times.peer_seconds), 7.0 / 160);
}

TEST(RankTimes, AddUpToTheSpanOfAllGpus) {
  const analysis::RankTimes times = analysis::rank_times(
      std::vector{gpu(10_us, 1_us, 2_us, 3_us), gpu(30_us, 2_us, 0_us, 0_us)}, 40_us);
  EXPECT_EQ(times.rest.max, 24_us);  // 40 - 10 - 1 - 5
  EXPECT_EQ(times.rest.min, 8_us);
  EXPECT_DOUBLE_EQ(times.compute.seconds + times.communication.seconds + times.waiting.seconds +
                       times.rest.seconds,
                   80e-6);
}

TEST(RankTimes, NameTheGpuThatIsWaitedForMost) {
  std::vector<system::GpuActivity> gpus(3);
  EXPECT_FALSE(analysis::rank_times(gpus, 1_us).straggler);
  gpus[1].straggler_wait = {30e-6, 2};
  gpus[2].straggler_wait = {10e-6, 7};
  const auto straggler = analysis::rank_times(gpus, 100_us).straggler;
  ASSERT_TRUE(straggler);
  EXPECT_EQ(straggler->gpu, 1U);
  EXPECT_EQ(straggler->alike, 1U);
  EXPECT_EQ(straggler->straggler_wait.seconds, 30e-6);
  EXPECT_EQ(straggler->straggler_wait.collectives, 2U);
  EXPECT_DOUBLE_EQ(straggler->share, 0.75);
}

TEST(RankTimes, CountTheGpusThatAreWaitedForAsLong) {
  std::vector<system::GpuActivity> gpus(16);
  for (std::size_t g = 8; g < 16; ++g) gpus[g].straggler_wait = {30e-6, 2};
  gpus[3].straggler_wait = {29e-6, 2};
  const auto straggler = analysis::rank_times(gpus, 100_us).straggler;
  ASSERT_TRUE(straggler);
  EXPECT_EQ(straggler->gpu, 8U);
  EXPECT_EQ(straggler->alike, 8U);
  EXPECT_DOUBLE_EQ(straggler->share, 240.0 / 269);
}

TEST(RankTimes, HoldWhatManyGpusWaitForLong) {
  const std::vector<system::GpuActivity> gpus(16384, gpu(0_us, 0_us, 600_s, 0_us));
  const analysis::RankTimes times =
      analysis::rank_times(gpus, 800_s);  // a Duration holds 563 s of so many GPUs
  EXPECT_DOUBLE_EQ(times.waiting.seconds, 16384 * 600.0);
  EXPECT_DOUBLE_EQ(times.share(times.waiting.seconds), 0.75);
  EXPECT_DOUBLE_EQ(times.share(times.rest.seconds), 0.25);
}

}  // namespace
}  // namespace septet::test
