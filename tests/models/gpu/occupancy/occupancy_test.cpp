#include "models/gpu/occupancy/occupancy.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/base/round_trip.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::testing {
namespace {

std::string refusal(const program::LaunchShape& launch, const gpu::OccupancyOptions& options = {}) {
  try {
    static_cast<void>(occupancy_of(h200_sm(), launch, options));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(Occupancy, IsLimitedByWarpsWhenNothingElseIsScarce) {
  const gpu::Occupancy o = occupancy_of(h200_sm(), shape(32, 256));
  EXPECT_EQ(o.blocks_per_sm, 8U);  // 64 warps / 8 warps a block
  EXPECT_EQ(o.warps_per_sm, 64U);
  EXPECT_EQ(o.occupancy, 1.0);
  EXPECT_EQ(o.limiter, gpu::OccupancyLimiter::kWarps);
  // 32 registers x 32 lanes are 4 units of 256 a warp, times 8 warps.
  EXPECT_EQ(o.registers_per_block, 8192U);
  EXPECT_EQ(o.shared_per_block, 1_KiB);  // the reserved part
}

TEST(Occupancy, IsLimitedByBlockSlotsWhenBlocksAreSmall) {
  const gpu::Occupancy o = occupancy_of(h200_sm(), shape(16, 32));
  EXPECT_EQ(o.blocks_per_sm, 32U);
  EXPECT_EQ(o.occupancy, 0.5);  // 32 warps of 64
  EXPECT_EQ(o.limiter, gpu::OccupancyLimiter::kBlocks);
}

TEST(Occupancy, RoundsRegistersUpToAUnitOfAWarp) {
  // 40 x 32 = 1,280 = 5 units exactly; 41 x 32 = 1,312 -> 1,536, the same as for 48.
  EXPECT_EQ(occupancy_of(h200_sm(), shape(40, 32)).registers_per_block, 1280U);
  EXPECT_EQ(occupancy_of(h200_sm(), shape(41, 32)).registers_per_block, 1536U);
  EXPECT_EQ(occupancy_of(h200_sm(), shape(48, 32)).registers_per_block, 1536U);
}

TEST(Occupancy, GrantsWarpsInMultiplesOfTheSubCores) {
  // 200 registers: 6,400 a warp; a sub-core's 16,384 hold 2, so the SM holds 8 warps, not the 10 of
  // 65,536 / 6,400: four blocks of two warps, not five.
  const gpu::Occupancy o = occupancy_of(h200_sm(), shape(200, 64));
  EXPECT_EQ(o.limits.registers, 4U);
  EXPECT_EQ(o.limiter, gpu::OccupancyLimiter::kRegisters);
}

TEST(Occupancy, AddsTheReservedKilobyteAndRoundsSharedMemoryUp) {
  // 20,000 + 1,024 = 21,024 -> 165 units of 128; 228 KiB / 21,120 = 11.05.
  const gpu::Occupancy o = occupancy_of(h200_sm(), shape(16, 64, Bytes(12'000), Bytes(8'000)));
  EXPECT_EQ(o.shared_per_block, Bytes(21'120));
  EXPECT_EQ(o.blocks_per_sm, 11U);
  EXPECT_EQ(o.limiter, gpu::OccupancyLimiter::kSharedMemory);
}

TEST(Occupancy, NamesEveryResourceThatBindsAndTheFullSmFirst) {
  // 64 registers x 1,024 threads are the whole file: one block by registers, two by warps.
  EXPECT_EQ(limiters_of(occupancy_of(h200_sm(), shape(64, 1024))),
            (std::vector{gpu::OccupancyLimiter::kRegisters}));
  // 32 registers x 1,024 threads x 2 fill warps and registers at once.
  const gpu::Occupancy both = occupancy_of(h200_sm(), shape(32, 1024));
  EXPECT_EQ(both.limiter, gpu::OccupancyLimiter::kWarps);
  EXPECT_EQ(limiters_of(both),
            (std::vector{gpu::OccupancyLimiter::kWarps, gpu::OccupancyLimiter::kRegisters}));
}

TEST(OccupancyLimiter, TextsComeBack) { expect_round_trip<gpu::OccupancyLimiter>(); }

TEST(Occupancy, CountsBarriers) {
  // An SM has 64: seven a block leave room for nine blocks.
  const gpu::Occupancy o = occupancy_of(h200_sm(), shape(16, 32), {.carveout = {}, .barriers = 7});
  EXPECT_EQ(o.blocks_per_sm, 9U);
  EXPECT_EQ(o.limiter, gpu::OccupancyLimiter::kBarriers);
  EXPECT_EQ(occupancy_of(h200_sm(), shape(16, 32), {.carveout = {}, .barriers = 0}).limits.barriers,
            gpu::kUnlimited);
}

TEST(Occupancy, TakesTheCarveoutThatIsAskedFor) {
  // 3 KiB + 1 KiB a block. A wish for 50 KiB becomes the carve-out of 64 KiB: 16 blocks; the
  // largest would hold 57.
  const program::LaunchShape launch = shape(16, 32, 3_KiB);
  const gpu::Occupancy wished = occupancy_of(h200_sm(), launch, {.carveout = 50_KiB});
  EXPECT_EQ(wished.carveout, 64_KiB);
  EXPECT_EQ(wished.limits.shared_memory, 16U);
  EXPECT_EQ(occupancy_of(h200_sm(), launch).limits.shared_memory, 57U);
}

TEST(Occupancy, RaisesTheCarveoutUntilOneBlockFits) {
  // 63 KiB + 1 KiB just fit into 64 KiB; one byte more needs the next carve-out.
  const gpu::OccupancyOptions none{.carveout = 0_KiB};
  EXPECT_EQ(occupancy_of(h200_sm(), shape(16, 32, 63_KiB), none).carveout, 64_KiB);
  EXPECT_EQ(occupancy_of(h200_sm(), shape(16, 32, 63_KiB + 1_B), none).carveout, 100_KiB);
}

TEST(Occupancy, RefusesWhatCannotRunNamingTheLimitAndBothNumbers) {
  EXPECT_EQ(refusal(shape(16, 0)), "a block has 0 threads, wanted at least 1");
  program::LaunchShape empty = shape(16, 32);
  empty.grid.y = 0;
  EXPECT_EQ(refusal(empty), "the grid has 0 blocks, wanted at least 1");
  EXPECT_EQ(refusal(shape(16, 1024)), "none");
  EXPECT_EQ(refusal(shape(16, 1025)), "a block has 1025 x 1 x 1 threads, the limit is 1024");
  // 2^22 x 2^21 x 2^21 threads are 0 in 64 bits.
  program::LaunchShape vast = shape(16, 1);
  vast.block = {1U << 22, 1U << 21, 1U << 21};
  EXPECT_EQ(refusal(vast), "a block has 4194304 x 2097152 x 2097152 threads, the limit is 1024");
  EXPECT_EQ(refusal(shape(255, 32)), "none");
  EXPECT_EQ(refusal(shape(256, 32)), "a thread has 256 registers, the limit is 255");
  EXPECT_EQ(refusal(shape(64, 1024)), "none");
  // 65 registers take 9 units of 256 a warp: 32 x 2,304.
  EXPECT_EQ(
      refusal(shape(65, 1024)),
      "a block of 1024 threads with 65 registers each takes 73728 registers, an SM has 65536");
}

TEST(Occupancy, ChecksABlocksRegistersAsIfEverySubCoreGotTheSameNumberOfWarps) {
  // 17 warps of 112 x 32 = 3,584 registers are 60,928, which the file would hold; but with five
  // warps on one sub-core, 17,920 exceed its 16,384. Checked as 20 warps.
  EXPECT_EQ(
      refusal(shape(112, 544)),
      "a block of 544 threads with 112 registers each takes 71680 registers, an SM has 65536");
}

TEST(Occupancy, RefusesSharedMemoryAboveTheLimitOfABlock) {
  EXPECT_EQ(refusal(shape(16, 32, 227_KiB)), "none");
  EXPECT_EQ(refusal(shape(16, 32, 227_KiB, 1_B)),
            "a block takes 1 bytes of static and 232448 bytes of dynamic shared memory, the limit "
            "is 232448 bytes");
  EXPECT_EQ(refusal(shape(16, 32, Bytes::max(), Bytes::max())),
            "a block takes 9223372036854775807 bytes of static and 9223372036854775807 bytes of "
            "dynamic shared memory, the limit is 232448 bytes");
  EXPECT_EQ(refusal(shape(16, 32, Bytes(-1))),
            "shared memory is 0 bytes static and -1 bytes dynamic, neither may be negative");
}

TEST(Occupancy, RefusesOptionsThatNoGpuHas) {
  EXPECT_EQ(refusal(shape(16, 32), {.carveout = 229_KiB}),
            "a carve-out of 234496 bytes is requested, an SM has 233472");
  EXPECT_EQ(refusal(shape(16, 32), {.carveout = {}, .barriers = 17}),
            "a block uses 17 barriers, the limit is 16");
}

TEST(Occupancy, RefusesAnSmThatMakesNoSense) {
  gpu::SmSpec sm = h200_sm();
  sm.register_allocation_unit = 0;
  EXPECT_THROW(static_cast<void>(occupancy_of(sm, shape(16, 32))), ModelError);
}

// Nothing that a block takes more of may let more blocks in, and what is resident must fit.
TEST(Occupancy, NeverGrowsWithWhatABlockTakesAndAlwaysFits) {
  const unsigned seed = 20261129;
  std::mt19937 engine(seed);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  const gpu::SmSpec sm = h200_sm();
  int possible = 0;
  for (int i = 0; i < 20'000; ++i) {
    const program::LaunchShape less =
        shape(1 + random() % 255, 1 + random() % 1024, Bytes(random() % 233'000));
    program::LaunchShape more = less;
    more.registers_per_thread += random() % 8;
    more.dynamic_shared += Bytes(random() % 4096);
    if (why_impossible(sm, less)) continue;
    ++possible;
    const gpu::Occupancy o = occupancy_of(sm, less);
    EXPECT_LE(o.warps_per_sm, sm.max_warps) << "seed " << seed;
    EXPECT_LE(o.blocks_per_sm * o.registers_per_block, sm.registers) << "seed " << seed;
    EXPECT_LE(o.shared_per_block * o.blocks_per_sm, sm.shared_memory) << "seed " << seed;
    if (why_impossible(sm, more)) continue;
    EXPECT_LE(occupancy_of(sm, more).blocks_per_sm, o.blocks_per_sm) << "seed " << seed;
  }
  EXPECT_GT(possible, 5'000);
}

}  // namespace
}  // namespace septet::testing
