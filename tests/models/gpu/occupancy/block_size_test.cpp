#include "models/gpu/occupancy/block_size.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::testing {
namespace {

TEST(BlockSize, CurveHasAPointForEveryWholeNumberOfWarps) {
  const auto curve = block_size_curve(h200_sm(), shape(32, 1));
  ASSERT_EQ(curve.size(), 32U);
  EXPECT_EQ(curve.front().threads, 32U);
  EXPECT_EQ(curve.front().blocks_per_sm, 32U);
  EXPECT_EQ(curve.front().limiter, gpu::OccupancyLimiter::kBlocks);
  EXPECT_EQ(curve.back().threads, 1024U);
  EXPECT_EQ(curve.back().occupancy, 1.0);
}

TEST(BlockSize, CurveMarksSizesThatCannotRun) {
  // 128 registers: 4,096 a warp, 16 warps in the file: 512 threads run, 544 don't.
  const auto curve = block_size_curve(h200_sm(), shape(128, 1));
  EXPECT_EQ(curve[15].threads, 512U);
  EXPECT_EQ(curve[15].blocks_per_sm, 1U);
  EXPECT_EQ(curve[16].threads, 544U);
  EXPECT_EQ(curve[16].blocks_per_sm, 0U);
}

TEST(BlockSize, SuggestsTheLargestOfEquallyGoodSizes) {
  // 32 registers allow all 64 warps. Blocks of W warps fill them when W divides 64 and 32 slots
  // are enough: 2, 4, 8, 16 or 32 warps.
  const gpu::BlockSizeChoice choice = suggest_block_size(h200_sm(), shape(32, 1));
  EXPECT_EQ(choice.best.threads, 1024U);
  std::vector<std::uint32_t> sizes;
  for (const auto& point : choice.equal) sizes.push_back(point.threads);
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{64, 128, 256, 512, 1024}));
  EXPECT_NE(choice.why.find("5 block sizes keep 2048 threads"), std::string::npos) << choice.why;
}

TEST(BlockSize, SuggestsTheOnlyBestSizeWhenThereIsOne) {
  // 98 KiB + 1 KiB a block: two blocks on an SM, so only the largest block fills it.
  const gpu::BlockSizeChoice choice = suggest_block_size(h200_sm(), shape(32, 1, 98_KiB));
  EXPECT_EQ(choice.best.threads, 1024U);
  EXPECT_EQ(choice.equal.size(), 1U);
  EXPECT_NE(choice.why.find("no other block size"), std::string::npos) << choice.why;
}

TEST(BlockSize, StaysWithinTheSizeThatIsAllowed) {
  EXPECT_EQ(suggest_block_size(h200_sm(), shape(32, 1), {}, 300).best.threads, 256U);
}

TEST(BlockSize, RefusesWhenNoSizeCanRun) {
  EXPECT_THROW(static_cast<void>(suggest_block_size(h200_sm(), shape(32, 1, 228_KiB))), ModelError);
  EXPECT_THROW(static_cast<void>(suggest_block_size(h200_sm(), shape(32, 1), {}, 31)), ModelError);
}

}  // namespace
}  // namespace septet::testing
