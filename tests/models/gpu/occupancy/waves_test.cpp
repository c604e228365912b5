#include "models/gpu/occupancy/waves.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

TEST(Waves, OfAGridThatFillsTheGpuExactlyHaveNoTail) {
  const Waves w = waves_of(2 * 8 * 132, 8, 132);
  EXPECT_EQ(w.slots, 1056U);
  EXPECT_EQ(w.full_waves, 2U);
  EXPECT_EQ(w.tail_blocks, 0U);
  EXPECT_EQ(w.efficiency, 1.0);
}

TEST(Waves, OfOneBlockMoreHaveATailOfOne) {
  const Waves w = waves_of(1057, 8, 132);
  EXPECT_EQ(w.full_waves, 1U);
  EXPECT_EQ(w.tail_blocks, 1U);
  EXPECT_DOUBLE_EQ(w.waves, 1057.0 / 1056.0);
  EXPECT_DOUBLE_EQ(w.efficiency, 1057.0 / 2112.0);  // two rounds for little more than one
}

TEST(Waves, OfASmallGridUseAPartOfOneRound) {
  const Waves w = waves_of(264, 8, 132);
  EXPECT_EQ(w.full_waves, 0U);
  EXPECT_EQ(w.tail_blocks, 264U);
  EXPECT_DOUBLE_EQ(w.efficiency, 0.25);
}

TEST(Waves, OfNothingAreRefused) {
  EXPECT_THROW(static_cast<void>(waves_of(0, 8, 132)), ModelError);
  EXPECT_THROW(static_cast<void>(waves_of(1, 0, 132)), ModelError);
  EXPECT_THROW(static_cast<void>(waves_of(1, 8, 0)), ModelError);
}

}  // namespace
}  // namespace septet::gpu
