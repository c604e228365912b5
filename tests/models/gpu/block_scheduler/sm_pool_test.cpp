#include "models/gpu/block_scheduler/sm_pool.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

using Sms = std::vector<std::uint16_t>;

gpu::BlockNeeds needs_of(std::uint32_t registers, std::uint32_t threads, Bytes shared = {}) {
  program::Kernel kernel;
  kernel.name = "made";
  kernel.shape = testing::shape(registers, threads, shared);
  return block_needs(testing::h200_sm(), kernel);
}

Sms place(gpu::SmPool& pool, const gpu::BlockNeeds& needs, std::uint64_t wanted) {
  Sms placed;
  pool.place_layer(needs, wanted, placed);
  return placed;
}

// How many blocks one empty SM takes, one after the other.
std::uint64_t room_for(const gpu::BlockNeeds& needs) {
  gpu::SmPool pool(testing::h200_sm(), 1);
  while (!place(pool, needs, 1).empty()) {
  }
  return pool.resident_blocks();
}

TEST(SmPool, HasRoomForAsManyBlocksAsTheScarcestResourceAllows) {
  EXPECT_EQ(room_for(needs_of(16, 1024)), 2U) << "64 warps of 32 a block";
  EXPECT_EQ(room_for(needs_of(16, 32)), 32U) << "32 block slots";
  // Four sub-cores of 16,384 registers: 8 warps of 64 x 32 each, 32 in all, of 8 a block.
  EXPECT_EQ(room_for(needs_of(64, 256)), 4U);
  // 228 KiB for blocks of 100 KiB and the 1 KiB that each reserves.
  EXPECT_EQ(room_for(needs_of(16, 32, 100_KiB)), 2U);
}

TEST(SmPool, CountsRegistersBySubCoreAndNotByBlock) {
  // 5 warps of 32 x 32 registers: 16 warps on each sub-core, 64 on the SM, 12 blocks of 5. Rounding
  // each block up to 8 warps would give 8.
  EXPECT_EQ(room_for(needs_of(32, 160)), 12U);
  // 9 warps of 40 x 32 = 1,280 registers: 12 on each sub-core, 48 on the SM, 5 blocks.
  EXPECT_EQ(room_for(needs_of(40, 288)), 5U);
}

TEST(SmPool, OneKernelAloneFillsAnSmAsTheOccupancyCalculatorSays) {
  for (const std::uint32_t registers : {16U, 24U, 32U, 40U, 57U, 64U, 96U, 128U, 168U, 255U}) {
    for (std::uint32_t threads = 32; threads <= 1024; threads += 32) {
      for (const Bytes shared : {0_KiB, 1_KiB, 24_KiB, 77_KiB, 227_KiB}) {
        const program::LaunchShape shape = testing::shape(registers, threads, shared);
        if (why_impossible(testing::h200_sm(), shape)) continue;
        EXPECT_EQ(room_for(needs_of(registers, threads, shared)),
                  occupancy_of(testing::h200_sm(), shape).blocks_per_sm)
            << registers << " registers, " << threads << " threads, " << shared.count() << " B";
      }
    }
  }
}

TEST(SmPool, SpreadsBlocksOverTheEmptiestSms) {
  gpu::SmPool pool(testing::h200_sm(), 4);
  const gpu::BlockNeeds needs = needs_of(16, 32);
  EXPECT_EQ(place(pool, needs, 3), (Sms{0, 1, 2}));
  EXPECT_EQ(place(pool, needs, 3), (Sms{3, 0, 1})) << "the empty one first";
  // Blocks: 2 2 1 1
  EXPECT_EQ(place(pool, needs, 4), (Sms{2, 3, 0, 1}));
}

TEST(SmPool, PutsAtMostOneBlockOfALayerOnEachSm) {
  gpu::SmPool pool(testing::h200_sm(), 4);
  EXPECT_EQ(place(pool, needs_of(16, 32), 100).size(), 4U);
  EXPECT_EQ(pool.resident_blocks(), 4U);
}

TEST(SmPool, PassesOverSmsOnWhichABlockDoesNotFit) {
  gpu::SmPool pool(testing::h200_sm(), 3);
  const gpu::BlockNeeds all_of_it = needs_of(16, 32, 200_KiB);
  EXPECT_EQ(place(pool, all_of_it, 2), (Sms{0, 1}));
  EXPECT_EQ(place(pool, all_of_it, 2), (Sms{2}));
  EXPECT_TRUE(place(pool, all_of_it, 2).empty());
  // 228 - 201 KiB are left on each.
  EXPECT_EQ(place(pool, needs_of(16, 32, 26_KiB), 3).size(), 3U);
  EXPECT_TRUE(place(pool, needs_of(16, 32), 1).empty()) << "each block reserves 1 KiB";
}

TEST(SmPool, KernelsShareWhatIsLeftOfAnSm) {
  gpu::SmPool pool(testing::h200_sm(), 1);
  const gpu::BlockNeeds half = needs_of(16, 1024);    // 32 of 64 warps
  const gpu::BlockNeeds quarter = needs_of(16, 512);  // 16
  ASSERT_EQ(place(pool, half, 1).size(), 1U);
  EXPECT_EQ(place(pool, quarter, 1).size(), 1U);
  EXPECT_EQ(place(pool, quarter, 1).size(), 1U);
  EXPECT_TRUE(place(pool, quarter, 1).empty());
}

TEST(SmPool, GetsTheRoomBackWhenBlocksLeave) {
  gpu::SmPool pool(testing::h200_sm(), 2);
  const gpu::BlockNeeds half = needs_of(16, 1024);
  for (int layer = 0; layer < 2; ++layer) place(pool, half, 2);
  ASSERT_TRUE(place(pool, half, 1).empty());
  pool.release(half, Sms{1});
  EXPECT_EQ(pool.resident_blocks(), 3U);
  EXPECT_EQ(place(pool, half, 2), (Sms{1}));
}

TEST(SmPool, RefusesABlockThatNoSmCanHold) {
  for (const auto& [registers, threads, shared] :
       {std::tuple{16U, 2048U, 0_KiB}, std::tuple{255U, 1024U, 0_KiB},
        std::tuple{16U, 32U, 228_KiB}}) {
    const std::string said =
        error_of<ModelError>([&, r = registers, t = threads, s = shared] { needs_of(r, t, s); });
    EXPECT_EQ(said.rfind("kernel 'made': ", 0), 0U) << said;
  }
}

}  // namespace
}  // namespace septet::test
