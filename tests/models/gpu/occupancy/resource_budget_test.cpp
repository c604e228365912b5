#include "models/gpu/occupancy/resource_budget.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::testing {
namespace {

TEST(LaunchBounds, LeaveTheRegistersAtWhichTheCompilerStops) {
  // Each is what nvcc 13.0 for sm_90 gave a kernel that wants more than 120 registers.
  const gpu::SmSpec sm = h200_sm();
  EXPECT_EQ(max_registers_for(sm, 1024, 2), 32U);
  EXPECT_EQ(max_registers_for(sm, 256, 3), 80U);  // six warps a sub-core: 2,730 -> 2,560
  EXPECT_EQ(max_registers_for(sm, 320, 4), 48U);  // ten: 1,638 -> 1,536
  EXPECT_EQ(max_registers_for(sm, 100, 5), 96U);  // 100 threads are four warps: 3,276 -> 3,072
  EXPECT_EQ(max_registers_for(sm, 1024, 1), 64U);
}

TEST(LaunchBounds, StopAtTheMostThatAThreadCanHave) {
  EXPECT_EQ(max_registers_for(h200_sm(), 32, 1), 255U);
}

TEST(LaunchBounds, HaveNoAnswerForMoreThanAnSmHolds) {
  const gpu::SmSpec sm = h200_sm();
  EXPECT_TRUE(max_registers_for(sm, 64, 32));
  EXPECT_FALSE(max_registers_for(sm, 32, 33));   // 32 block slots
  EXPECT_FALSE(max_registers_for(sm, 1024, 3));  // 96 warps
  EXPECT_FALSE(max_registers_for(sm, 1025, 1));
  EXPECT_FALSE(max_registers_for(sm, 0, 1));
  EXPECT_FALSE(max_registers_for(sm, 32, 0));
}

// The two directions of the same rule: at the bound the blocks fit, one register above they don't.
TEST(LaunchBounds, AreTight) {
  const gpu::SmSpec sm = h200_sm();
  for (std::uint32_t threads = 1; threads <= 1024; threads += 7) {
    for (std::uint32_t blocks = 1; blocks <= 32; ++blocks) {
      const auto most = max_registers_for(sm, threads, blocks);
      if (!most) continue;
      EXPECT_GE(occupancy_of(sm, shape(*most, threads)).blocks_per_sm, blocks);
      const program::LaunchShape above = shape(*most + 1, threads);
      if (why_impossible(sm, above)) continue;
      EXPECT_LT(occupancy_of(sm, above).blocks_per_sm, blocks);
    }
  }
}

TEST(SharedBudget, IsTight) {
  const gpu::SmSpec sm = h200_sm();
  for (const auto& carveout :
       {std::optional<Bytes>{}, std::optional(0_KiB), std::optional(60_KiB)}) {
    for (std::uint32_t blocks = 1; blocks <= 32; ++blocks) {
      const gpu::OccupancyOptions options{.carveout = carveout};
      const auto most = max_shared_for(sm, blocks, options);
      if (!most) continue;
      EXPECT_GE(occupancy_of(sm, shape(16, 32, *most), options).blocks_per_sm, blocks);
      const program::LaunchShape above = shape(16, 32, *most + 1_B);
      if (why_impossible(sm, above)) continue;
      EXPECT_LT(occupancy_of(sm, above, options).blocks_per_sm, blocks);
    }
  }
}

TEST(SharedBudget, HasNoAnswerWhereTheReservedPartAloneIsTooMuch) {
  // A carve-out of 8 KiB holds eight blocks of the reserved 1 KiB.
  const gpu::OccupancyOptions options{.carveout = 8_KiB};
  EXPECT_EQ(max_shared_for(h200_sm(), 8, options), 0_B);
  EXPECT_FALSE(max_shared_for(h200_sm(), 9, options));
}

TEST(NextTargets, NameWhatMustShrink) {
  // 48 registers and 256 threads: 5 blocks (40 warps). Six blocks: 12 warps a sub-core, 1,365 ->
  // 1,280 registers a warp, 40 a thread. Eight blocks: 1,024, 32 a thread. Seven (56 warps, 14 a
  // sub-core) would need 32 as well (1,170 -> 1,024), so they are no target of their own.
  const auto targets = next_targets(h200_sm(), shape(48, 256));
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets[0].blocks, 6U);
  EXPECT_EQ(targets[0].registers, 40U);
  EXPECT_FALSE(targets[0].shared);
  EXPECT_EQ(targets[0].occupancy, 0.75);
  EXPECT_EQ(targets[1].blocks, 8U);
  EXPECT_EQ(targets[1].registers, 32U);
  EXPECT_EQ(targets[1].occupancy, 1.0);
}

TEST(NextTargets, NameBothResourcesWhenBothAreInTheWay) {
  // 100 registers (3,328 a warp, four on a sub-core) allow two blocks of 256 threads, 75 KiB +
  // 1 KiB three. Three need six warps a sub-core: 2,730 -> 2,560, 80 registers. Four need 64
  // registers and 228 KiB / 4 - 1 KiB.
  const auto targets = next_targets(h200_sm(), shape(100, 256, 75_KiB), {}, 2);
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets[0].blocks, 3U);
  EXPECT_EQ(targets[0].registers, 80U);
  EXPECT_FALSE(targets[0].shared);
  EXPECT_EQ(targets[1].blocks, 4U);
  EXPECT_EQ(targets[1].registers, 64U);
  EXPECT_EQ(targets[1].shared, 56_KiB);
}

TEST(NextTargets, AreEmptyOnAFullSm) {
  EXPECT_TRUE(next_targets(h200_sm(), shape(32, 1024)).empty());
  EXPECT_TRUE(next_targets(h200_sm(), shape(16, 32)).empty());  // every block slot is taken
}

TEST(FreeRoom, IsWhatCostsNoBlock) {
  const gpu::SmSpec sm = h200_sm();
  // Five blocks of eight warps: ten a sub-core, 1,638 -> 1,536 registers a warp, 48 a thread.
  // 228 KiB / 5 = 46,694 -> 364 units of 128 = 46,592, less 1 KiB.
  const gpu::FreeRoom room = free_room(sm, shape(41, 256));
  EXPECT_EQ(room.registers, 48U);
  EXPECT_EQ(room.shared, Bytes(45'568));
  EXPECT_EQ(occupancy_of(sm, shape(48, 256, Bytes(45'568))).blocks_per_sm, 5U);
  EXPECT_EQ(occupancy_of(sm, shape(49, 256)).blocks_per_sm, 4U);
  EXPECT_EQ(occupancy_of(sm, shape(48, 256, Bytes(45'569))).blocks_per_sm, 4U);
}

}  // namespace
}  // namespace septet::testing
