// What each kind of change does to a description, and where it doesn't apply.
#include "scenarios/explain/changes.hpp"

#include <gtest/gtest.h>

#include "models/gpu/occupancy/occupancy.hpp"
#include "tests/scenarios/explain/described_kernels.hpp"

namespace septet::testing {
namespace {

program::LaunchShape with_registers(std::uint32_t blocks, std::uint32_t threads,
                                    std::uint32_t registers) {
  program::LaunchShape shape = shape_of(blocks, threads);
  shape.registers_per_thread = registers;
  return shape;
}

// Warp instructions of one pipe in the whole grid.
double all_of(const explain::KernelDescription& kernel, program::Pipe pipe) {
  const auto warps = static_cast<double>(kernel.shape.blocks() * kernel.shape.block.x / 32);
  double out = 0;
  for (const auto& s : kernel.segments) out += warps * s.segment.repeat * s.segment[pipe];
  return out;
}

double all_sectors(const explain::KernelDescription& kernel) {
  const auto warps = static_cast<double>(kernel.shape.blocks() * kernel.shape.block.x / 32);
  double out = 0;
  for (const auto& s : kernel.segments) {
    for (const auto& a : s.accesses) {
      out += warps * s.segment.repeat * a.batch.requests * a.batch.sectors;
    }
  }
  return out;
}

TEST(FewerRegisters, ReachTheNextOccupancyStep) {
  // 168 registers: 12 warps of an SM, one block of 8. Two blocks: 16 warps, 4,096 a warp, 128.
  const gpu::GpuSpec gpu = round_gpu();
  const explain::Changes changes =
      fewer_registers(gpu, kernel_of(with_registers(100, 256, 168), 10, 10, 100));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].kernel.shape.registers_per_thread, 128U);
  EXPECT_EQ(occupancy_of(gpu.sm, changes[0].kernel.shape).blocks_per_sm, 2U);
  EXPECT_NE(changes[0].text.find("at most 128 registers per thread instead of 168"),
            std::string::npos);
}

TEST(FewerRegisters, DoNotApplyWhereWarpsAreTheLimit) {
  EXPECT_TRUE(
      fewer_registers(round_gpu(), kernel_of(with_registers(100, 1024, 32), 10, 10, 100)).empty());
}

TEST(OtherBlockSize, KeepsTheThreads) {
  const explain::KernelDescription kernel = kernel_of(shape_of(1000, 96), 10, 10, 100);
  const explain::Changes changes = other_block_size(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 5U);  // 64, 128, 256, 512, 1024
  for (const explain::Change& change : changes) {
    const std::uint64_t threads =
        change.kernel.shape.blocks() * change.kernel.shape.threads_per_block();
    EXPECT_GE(threads, 96'000U);
    EXPECT_LT(threads, 96'000U + change.kernel.shape.block.x);
  }
}

TEST(OtherBlockSize, IsNotForBlocksThatShareMemoryOrMeet) {
  explain::KernelDescription kernel = kernel_of(shape_of(1000, 96), 10, 10, 100);
  kernel.segments[0].barrier_cycles = 10;
  EXPECT_TRUE(other_block_size(round_gpu(), kernel).empty());
  kernel.segments[0].barrier_cycles = 0;
  kernel.shape.dynamic_shared = Bytes(1024);
  EXPECT_TRUE(other_block_size(round_gpu(), kernel).empty());
}

TEST(MoreBlocks, DivideTheSameWork) {
  const gpu::GpuSpec gpu = round_gpu();
  const explain::KernelDescription kernel = kernel_of(shape_of(5, 1024), 3, 100, 400);
  const explain::Changes changes =
      more_blocks(gpu, kernel);  // 10 blocks; 20 would leave 0.75 turns
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].kernel.shape.blocks(), 10U);
  EXPECT_DOUBLE_EQ(all_of(changes[0].kernel, program::Pipe::kFma),
                   all_of(kernel, program::Pipe::kFma));
}

TEST(OneWave, LoopsOverWhatFurtherBlocksDid) {
  const explain::KernelDescription kernel = kernel_of(shape_of(50, 1024), 4, 100, 400);
  const explain::Changes changes = one_wave(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].kernel.shape.blocks(), 20U);
  EXPECT_DOUBLE_EQ(changes[0].kernel.segments[0].segment.repeat, 10);
  EXPECT_TRUE(one_wave(round_gpu(), changes[0].kernel).empty());
}

TEST(WiderAccess, MergesRequestsInFlight) {
  const explain::KernelDescription kernel =
      kernel_of(shape_of(100, 256), 10, 8, 100, {dense(4, 4)});
  const explain::Changes changes = wider_access(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 2U);  // 8 and 16 bytes
  const explain::SegmentDescription& widest = changes[1].kernel.segments[0];
  EXPECT_DOUBLE_EQ(widest.accesses[0].batch.requests, 1);
  EXPECT_DOUBLE_EQ(widest.accesses[0].batch.sectors, 16);
  EXPECT_DOUBLE_EQ(widest.accesses[0].batch.lines, 4);
  EXPECT_DOUBLE_EQ(widest.segment[program::Pipe::kLsu], 1);
  EXPECT_DOUBLE_EQ(widest.segment.repeat, 10);
  EXPECT_DOUBLE_EQ(all_sectors(changes[1].kernel), all_sectors(kernel));
}

TEST(WiderAccess, TakesFewerTurnsOrThreadsWhereThereIsOneRequest) {
  for (const double turns : {1.0, 16.0}) {
    const explain::KernelDescription kernel =
        kernel_of(shape_of(100, 256), turns, 8, 100, {dense(4, 1)});
    const explain::Changes changes = wider_access(round_gpu(), kernel);
    ASSERT_EQ(changes.size(), 2U);
    for (const explain::Change& change : changes) {
      EXPECT_DOUBLE_EQ(all_sectors(change.kernel), all_sectors(kernel));
      EXPECT_DOUBLE_EQ(all_of(change.kernel, program::Pipe::kFma),
                       all_of(kernel, program::Pipe::kFma));
    }
    EXPECT_EQ(changes[1].kernel.shape.blocks(), turns == 1 ? 25U : 100U);
  }
}

TEST(WiderAccess, NeedsDenseElementsOfAKnownSize) {
  explain::AccessDescription unknown = dense(4, 4);
  unknown.element_bytes = 0;
  explain::AccessDescription scattered = dense(4, 4);
  scattered.batch.sectors = 32;
  for (const explain::AccessDescription& access : {unknown, scattered, dense(16, 4)}) {
    EXPECT_TRUE(
        wider_access(round_gpu(), kernel_of(shape_of(100, 256), 10, 8, 100, {access})).empty());
  }
}

TEST(MoreLoadsInFlight, TakeRegistersForWhatIsInFlight) {
  const explain::KernelDescription kernel =
      kernel_of(shape_of(100, 256), 16, 8, 100, {dense(16, 2)});
  const explain::Changes changes = more_loads_in_flight(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 2U);  // 4 and 8; 16 were never measured
  EXPECT_DOUBLE_EQ(changes[1].kernel.segments[0].accesses[0].batch.requests, 8);
  EXPECT_EQ(changes[1].kernel.shape.registers_per_thread, 16U + 6 * 4);
  EXPECT_DOUBLE_EQ(all_sectors(changes[1].kernel), all_sectors(kernel));
}

TEST(MoreLoadsInFlight, AreNotForLoadsThatWaitForOneAnother) {
  explain::KernelDescription kernel = kernel_of(shape_of(100, 256), 16, 8, 100, {dense(4, 1)});
  kernel.segments[0].accesses[0].dependent = true;
  EXPECT_TRUE(more_loads_in_flight(round_gpu(), kernel).empty());
  EXPECT_TRUE(wider_access(round_gpu(), kernel).empty());
}

TEST(DenseAccess, TakesTheSectorsOfTheElements) {
  explain::AccessDescription scattered = dense(4, 1);
  scattered.batch.sectors = 32;
  scattered.batch.lines = 32;
  explain::AccessDescription shifted = dense(4, 1);
  shifted.batch.sectors = 5;
  const auto change = [](const explain::AccessDescription& access) {
    return dense_access(round_gpu(), kernel_of(shape_of(100, 256), 16, 8, 100, {access}));
  };
  ASSERT_EQ(change(scattered).size(), 1U);
  EXPECT_DOUBLE_EQ(change(scattered)[0].kernel.segments[0].accesses[0].batch.sectors, 4);
  EXPECT_DOUBLE_EQ(change(scattered)[0].kernel.segments[0].accesses[0].batch.lines, 1);
  EXPECT_TRUE(change(scattered)[0].text.starts_with("let neighbouring threads"));
  EXPECT_TRUE(change(shifted)[0].text.starts_with("align"));
  EXPECT_TRUE(change(dense(4, 1)).empty());
}

TEST(NoBankConflicts, LeaveOneWavefrontARequest) {
  explain::KernelDescription kernel = kernel_of(shape_of(100, 256), 16, 8, 100);
  EXPECT_TRUE(no_bank_conflicts(round_gpu(), kernel).empty());
  kernel.segments[0].segment.shared_wavefronts = 31;
  const explain::Changes changes = no_bank_conflicts(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_DOUBLE_EQ(changes[0].kernel.segments[0].segment.shared_wavefronts, 0);
}

TEST(BlockingForL2, NeedsDataThatAreUsedAgain) {
  const auto changes = [](double hit, double working_set) {
    explain::AccessDescription access = dense(4, 1);
    access.batch.l2_hit = hit;
    access.working_set = working_set;
    return blocking_for_l2(round_gpu(), kernel_of(shape_of(100, 256), 16, 8, 100, {access}));
  };
  const auto hit = [](const explain::Changes& all) {
    return all.at(0).kernel.segments[0].accesses[0].batch.l2_hit;
  };
  EXPECT_TRUE(changes(0.0, 0).empty());  // nothing is known to be used again
  EXPECT_TRUE(changes(0.95, 0).empty());
  EXPECT_DOUBLE_EQ(hit(changes(0.5, 0)), 0.75);
  EXPECT_NEAR(hit(changes(0.0, 1e9)), 0.977, 0.001);  // two standard deviations below capacity
}

TEST(ShorterChain, IsHalfAsLongButNeverShorterThanItsIssue) {
  const auto chain = [](double fma, double barrier) {
    explain::KernelDescription kernel = kernel_of(shape_of(100, 256), 16, fma, 400);
    kernel.segments[0].barrier_cycles = barrier;
    const explain::Changes changes = shorter_chain(round_gpu(), kernel);
    return changes.empty() ? 0.0 : changes[0].kernel.segments[0].segment.chain_cycles;
  };
  EXPECT_DOUBLE_EQ(chain(8, 0), 200);
  EXPECT_DOUBLE_EQ(chain(300, 0), 300);
  EXPECT_DOUBLE_EQ(chain(8, 100), 250);  // the barrier stays
  EXPECT_DOUBLE_EQ(chain(400, 0), 0);
}

TEST(SplitBody, MakesLoopsThatFitAndKeepsTheWork) {
  explain::KernelDescription kernel = kernel_of(shape_of(100, 256), 16, 250, 400);
  kernel.segments[0].segment.code_bytes = 4000;  // the buffer holds 1600
  const explain::Changes changes = split_body(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 1U);
  ASSERT_EQ(changes[0].kernel.segments.size(), 3U);
  EXPECT_LE(changes[0].kernel.segments[0].segment.code_bytes, 1600);
  EXPECT_NEAR(all_of(changes[0].kernel, program::Pipe::kFma), all_of(kernel, program::Pipe::kFma),
              1e-6);
  kernel.segments[0].segment.repeat = 1;
  EXPECT_TRUE(split_body(round_gpu(), kernel).empty());
}

TEST(Prefetch, HidesTheChainBehindTheLoadsAndTakesTwoBuffers) {
  // 8 warps, 2 loads of 512 bytes each, twice: 16 KiB. Of the chain of 400 cycles, 12 are issue (10
  // and 2 loads); DRAM takes 500, longer than the other 388.
  const explain::KernelDescription kernel =
      kernel_of(shape_of(100, 256), 16, 10, 400, {dense(16, 2)});
  const explain::Changes changes = prefetch(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 1U);
  const explain::SegmentDescription& changed = changes[0].kernel.segments[0];
  EXPECT_DOUBLE_EQ(changed.segment.chain_cycles, 12);
  EXPECT_EQ(changes[0].kernel.shape.dynamic_shared, Bytes(16 * 1024));
  EXPECT_DOUBLE_EQ(changed.segment[program::Pipe::kLsu], 4);  // and out of shared memory again
  EXPECT_TRUE(prefetch(round_gpu(), kernel_of(shape_of(100, 256), 16, 10, 400)).empty());
  EXPECT_TRUE(
      prefetch(round_gpu(), kernel_of(shape_of(100, 256), 1, 10, 400, {dense(16, 2)})).empty());
}

TEST(UniformPaths, TakeAsManyInstructionsAsWholeWarpsNeed) {
  explain::KernelDescription kernel = kernel_of(shape_of(100, 256), 16, 40, 400, {dense(4, 2)});
  EXPECT_TRUE(uniform_paths(round_gpu(), kernel).empty());
  kernel.segments[0].active_lanes = 8;
  kernel.segments[0].barrier_cycles = 100;
  const explain::Changes changes = uniform_paths(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 1U);
  const explain::SegmentDescription& changed = changes[0].kernel.segments[0];
  EXPECT_DOUBLE_EQ(changed.segment[program::Pipe::kFma], 10);
  EXPECT_DOUBLE_EQ(changed.segment[program::Pipe::kLsu], 2);
  EXPECT_DOUBLE_EQ(changed.segment.chain_cycles, 100 + 300.0 / 4);  // the barrier stays
  EXPECT_DOUBLE_EQ(changed.active_lanes, 32);
}

TEST(WarpPrimitives, ReplaceTheLevelsOfATreeThatAreInsideWarps) {
  // 1,024 threads: 5 of 10 levels. Half of 34 requests are 5 shuffles (17 / 3.4).
  explain::KernelDescription kernel = kernel_of(shape_of(100, 1024), 16, 10, 500);
  EXPECT_TRUE(warp_primitives(round_gpu(), kernel).empty());
  explain::SegmentDescription& tree = kernel.segments[0];
  tree.segment[program::Pipe::kLsu] = 34;
  tree.segment.shared_wavefronts = 8;
  tree.barrier_cycles = 200;
  const explain::Changes changes = warp_primitives(round_gpu(), kernel);
  ASSERT_EQ(changes.size(), 1U);
  const explain::SegmentDescription& changed = changes[0].kernel.segments[0];
  EXPECT_DOUBLE_EQ(changed.segment[program::Pipe::kLsu], 17);
  EXPECT_DOUBLE_EQ(changed.segment[program::Pipe::kShuffle], 5);
  EXPECT_DOUBLE_EQ(changed.segment.shared_wavefronts, 4);
  EXPECT_DOUBLE_EQ(changed.barrier_cycles, 100);
  // 300 besides the barrier, less 5 times the 26 cycles by which a shuffle is faster than shared
  // memory (30 and 4), and half of the barrier.
  EXPECT_DOUBLE_EQ(changed.segment.chain_cycles, 300 - 5 * 26 + 100);
}

}  // namespace
}  // namespace septet::testing
