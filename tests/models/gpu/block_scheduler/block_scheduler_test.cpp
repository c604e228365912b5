// The block scheduler alone: grids arrive at given times, its events come back to it.
#include "models/gpu/block_scheduler/block_scheduler.hpp"

#include <gtest/gtest.h>

#include "tests/models/gpu/block_scheduler/bench.hpp"

namespace septet::test {
namespace {

gpu::BlockSchedulerSpec interval_of_1_us() {
  gpu::BlockSchedulerSpec spec;
  spec.block_interval = 1_us;
  return spec;
}

TEST(BlockScheduler, AGridThatFitsTakesTheTimeOfOneBlock) {
  EXPECT_EQ(run_one(grid_of(4, 10_us)).started, 0_us);
  EXPECT_EQ(run_one(grid_of(4, 10_us)).ended, 10_us);
  EXPECT_EQ(run_one(grid_of(8, 10_us, half_sm())).ended, 10_us);
}

TEST(BlockScheduler, BlocksThatDoNotFitComeInFurtherWaves) {
  EXPECT_EQ(run_one(grid_of(5, 10_us)).ended, 20_us);
  EXPECT_EQ(run_one(grid_of(8, 10_us)).ended, 20_us);
  EXPECT_EQ(run_one(grid_of(9, 10_us)).ended, 30_us);
  EXPECT_EQ(run_one(grid_of(9, 10_us, half_sm())).ended, 20_us);
}

TEST(BlockScheduler, BlocksLeaveOneByOne) {
  // The last of four is on its way after 4 us.
  EXPECT_EQ(run_one(grid_of(4, 10_us), interval_of_1_us()).ended, 14_us);
  EXPECT_EQ(run_one(grid_of(1, 10_us), interval_of_1_us()).ended, 11_us);
  // Two cohorts of four at once: 8 us.
  EXPECT_EQ(run_one(grid_of(8, 10_us, half_sm()), interval_of_1_us()).ended, 18_us);
}

TEST(BlockScheduler, ACohortsRoomIsFreeWhenItsFirstBlockEnds) {
  // The first block ends at 10: the next four leave until 14 and end at 24.
  EXPECT_EQ(run_one(grid_of(8, 10_us), interval_of_1_us()).ended, 24_us);
  // A tail of one block ends at 10 + 1 + 10.
  EXPECT_EQ(run_one(grid_of(5, 10_us), interval_of_1_us()).ended, 21_us);
}

TEST(BlockScheduler, ABlockHoldsItsRoomForItsOverheadAsWell) {
  gpu::BlockSchedulerSpec spec;
  spec.block_overhead = 2_us;
  spec.block_overhead_per_warp = 500_ns;
  EXPECT_EQ(run_one(grid_of(4, 10_us), spec).ended, 14_us);  // 4 warps: 10 + 2 + 2
  EXPECT_EQ(run_one(grid_of(5, 10_us), spec).ended, 28_us);
}

TEST(BlockScheduler, GridsAreServedFirstInFirstOut) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(8, 10_us));
    bench.admit(1_us, grid_of(4, 10_us));
  });
  EXPECT_EQ(times[0].ended, 20_us);
  EXPECT_EQ(times[1].started, 20_us);
  EXPECT_EQ(times[1].ended, 30_us);
}

TEST(BlockScheduler, TheNextGridUsesWhatATailLeavesFree) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(5, 10_us));
    bench.admit(1_us, grid_of(3, 10_us));
  });
  EXPECT_EQ(times[0].ended, 20_us);
  EXPECT_EQ(times[1].started, 10_us);
  EXPECT_EQ(times[1].ended, 20_us);
}

TEST(BlockScheduler, ASmallBlockFitsBesideLargeOnes) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(8, 10_us));
    bench.admit(1_us, grid_of(4, 10_us, {4, 0, 0, 0}));  // needs no shared memory
  });
  EXPECT_EQ(times[1].started, 1_us);
  EXPECT_EQ(times[1].ended, 11_us);
  EXPECT_EQ(times[0].ended, 20_us);
}

gpu::GridRequest with_priority(gpu::GridRequest request, std::int32_t priority) {
  request.priority = priority;
  return request;
}

TEST(BlockScheduler, AMoreUrgentGridGetsTheNextRoom) {
  const auto times = run({}, 3, [](Bench& bench) {
    bench.admit(0_us, grid_of(12, 10_us));
    bench.admit(1_us, grid_of(4, 10_us));
    bench.admit(5_us, with_priority(grid_of(4, 10_us), -5));
  });
  // Nothing is preempted: it starts at 10, then the others go on in their order.
  EXPECT_EQ(times[2].started, 10_us);
  EXPECT_EQ(times[2].ended, 20_us);
  EXPECT_EQ(times[0].ended, 40_us);
  EXPECT_EQ(times[1].started, 40_us);
}

TEST(BlockScheduler, GridsOfOnePriorityKeepTheirOrder) {
  const auto times = run({}, 3, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.admit(1_us, with_priority(grid_of(4, 10_us), -1));
    bench.admit(2_us, with_priority(grid_of(4, 10_us), -1));
  });
  EXPECT_EQ(times[1].started, 10_us);
  EXPECT_EQ(times[2].started, 20_us);
}

// Blocks of 10 us, the first 3 of which need nothing.
gpu::GridRequest gated_grid(std::uint64_t blocks) {
  gpu::GridRequest request = grid_of(blocks, 10_us);
  request.gated = true;
  request.prologue = 3_us;
  return request;
}

TEST(Gate, BlocksWaitAtItUntilTheyAreReleased) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(4));
    bench.release(20_us, 0, 20_us);
  });
  EXPECT_EQ(times[0].ended, 27_us);
}

TEST(Gate, OpensAtTheTimeThatTheReleaseNames) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(4));
    bench.release(20_us, 0, 22_us);
  });
  EXPECT_EQ(times[0].ended, 29_us);
}

TEST(Gate, OpenBeforeTheEndOfThePrologueHoldsNobodyUp) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(4));
    bench.release(1_us, 0, 2_us);
  });
  EXPECT_EQ(times[0].ended, 10_us);
}

TEST(Gate, BlocksThatWaitAtItKeepTheirRoom) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(5));
    bench.release(20_us, 0, 20_us);
  });
  // Four end at 27; the fifth starts then and finds the gate open.
  EXPECT_EQ(times[0].ended, 37_us);
}

TEST(Trigger, ComesWhenTheLastBlockIsThroughItsPrologue) {
  gpu::GridRequest request = grid_of(4, 10_us);
  request.triggers = true;
  request.prologue = 3_us;
  EXPECT_EQ(run_one(request).triggered, 3_us);
  EXPECT_EQ(run_one(request, interval_of_1_us()).triggered, 7_us);  // the last leaves until 4
  request.blocks = 5;
  EXPECT_EQ(run_one(request).triggered, 13_us);
}

TEST(Frozen, BlocksGoOnWhereTheyStopped) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.freeze(5_us, 4_us);  // back at 5 after having been out since 1
  });
  EXPECT_EQ(times[0].ended, 14_us);
}

TEST(Frozen, TimeAddsUp) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.freeze(5_us, 4_us);
    bench.freeze(12_us, 3_us);
  });
  EXPECT_EQ(times[0].ended, 17_us);
}

TEST(Frozen, TimeBeforeABlockStartedDoesNotCount) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.freeze(5_us, 4_us);
    bench.admit(6_us, grid_of(4, 10_us));
  });
  EXPECT_EQ(times[1].started, 14_us);
  EXPECT_EQ(times[1].ended, 24_us);
}

TEST(Frozen, BlocksThatWatchTheClockDoNotMind) {
  gpu::GridRequest request = grid_of(4, 10_us);
  request.by_clock = true;
  const auto times = run({}, 1, [&](Bench& bench) {
    bench.admit(0_us, request);
    bench.freeze(5_us, 4_us);
  });
  EXPECT_EQ(times[0].ended, 10_us);
}

}  // namespace
}  // namespace septet::test
