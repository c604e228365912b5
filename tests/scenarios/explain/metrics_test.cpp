#include "scenarios/explain/metrics.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/explain/described_kernels.hpp"

namespace septet::testing {
namespace {

explain::KernelMetrics metrics(const gpu::GpuSpec& gpu, const explain::KernelDescription& kernel) {
  return metrics_of(gpu, kernel, kernel_time(gpu, kernel.shape, work_of(kernel)));
}

TEST(KernelMetrics, OccupancyOfAGridThatFitsIsThatOfTheSmsInUse) {
  // Two blocks of 32 warps fit an SM; five blocks lie on five SMs.
  const explain::KernelMetrics m = metrics(round_gpu(), kernel_of(shape_of(5, 1024), 10, 10, 100));
  EXPECT_DOUBLE_EQ(m.warps->theoretical_occupancy, 1.0);
  EXPECT_DOUBLE_EQ(m.warps->achieved_occupancy, 0.5);
  EXPECT_DOUBLE_EQ(m.waves, 0.25);
  EXPECT_DOUBLE_EQ(m.warps->active, 8.0);
}

TEST(KernelMetrics, OccupancyOfATailIsLower) {
  // A full wave of 20 blocks takes 16 x 100 x 100 cycles, the tail of 10 half as long with half of
  // the warps: (20 x 2 + 10 x 1) / (20 x 3).
  const explain::KernelMetrics m =
      metrics(round_gpu(), kernel_of(shape_of(30, 1024), 100, 100, 400));
  EXPECT_NEAR(m.warps->achieved_occupancy, 50.0 / 60.0, 1e-9);
}

TEST(KernelMetrics, EligibleWarpsKeepASchedulerAsBusyAsItIs) {
  EXPECT_DOUBLE_EQ(explain::eligible_warps(1, 0.25), 0.25);
  EXPECT_DOUBLE_EQ(explain::eligible_warps(2, 0.75), 1.0);  // 1 - 0.5 x 0.5
  EXPECT_DOUBLE_EQ(explain::eligible_warps(8, 1.0), 8.0);
  EXPECT_DOUBLE_EQ(explain::eligible_warps(0, 0.0), 0.0);
}

TEST(KernelMetrics, BoundsFollowTheLimiter) {
  EXPECT_EQ(metrics(round_gpu(), kernel_of(shape_of(1, 32), 100, 10, 400)).bound,
            explain::Bound::kLatency);
  EXPECT_EQ(metrics(round_gpu(), kernel_of(shape_of(20, 1024), 100, 100, 0)).bound,
            explain::Bound::kCompute);
  const explain::KernelMetrics reader =
      metrics(round_gpu(), kernel_of(shape_of(20, 1024), 100, 1, 1, {dense(16, 8)}));
  EXPECT_EQ(reader.bound, explain::Bound::kMemory);
  EXPECT_GT(reader.dram, 0.9);
  EXPECT_DOUBLE_EQ(reader.memory_throughput, reader.dram);
  // 640 warps, 100 turns, 8 requests of 512 bytes.
  EXPECT_DOUBLE_EQ(reader.dram_bytes, 640.0 * 100 * 8 * 512);
}

TEST(KernelMetrics, BarriersTakeTheirShareOfTheChain) {
  // One warp, 10 of 400 cycles issue; 100 of the 400 are at barriers: a quarter of 390 / 400.
  explain::KernelDescription kernel = kernel_of(shape_of(1, 32), 100, 10, 400);
  kernel.segments[0].barrier_cycles = 100;
  const explain::Stalls stalls = metrics(round_gpu(), kernel).stalls;
  EXPECT_NEAR(stalls.synchronisation, 0.25 * 390 / 400, 1e-12);
  EXPECT_NEAR(stalls.dependency, 0.75 * 390 / 400, 1e-12);
  EXPECT_DOUBLE_EQ(stalls.memory, 0.0);
}

TEST(KernelMetrics, HitRatesAreWeightedByBytes) {
  explain::AccessDescription hits = dense(4, 3);
  hits.batch.l1_hit = 0.5;
  const explain::AccessDescription misses = dense(4, 1);
  explain::AccessDescription stores = dense(4, 1, true);
  stores.batch.l2_hit = 1.0;
  const explain::KernelMetrics m =
      metrics(round_gpu(), kernel_of(shape_of(1, 32), 1, 1, 1, {hits, misses, stores}));
  EXPECT_DOUBLE_EQ(m.warps->l1_hit, 1.5 / 4);  // of four loads
  EXPECT_DOUBLE_EQ(m.l2_hit, 1 / 3.5);         // 2.5 loads and a store reach the L2 cache
}

}  // namespace
}  // namespace septet::testing
