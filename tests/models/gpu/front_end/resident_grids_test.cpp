#include "models/gpu/front_end/resident_grids.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using gpu::ResidentGrids;

TEST(GpuResidentGrids, AreAsManyAsTheGpuHolds) {
  gpu::ResidentGrids grids(2);
  EXPECT_TRUE(grids.take_for_stream(0));
  EXPECT_TRUE(grids.take_for_node(0));
  EXPECT_FALSE(grids.take_for_stream(1));
  EXPECT_EQ(grids.count(), 2U);
}

TEST(GpuResidentGrids, AStreamThatWaitsHasToAskAgain) {
  gpu::ResidentGrids grids(1);
  grids.take_for_stream(0);
  grids.take_for_stream(1);
  EXPECT_EQ(grids.leave().stream, 1U);
  EXPECT_EQ(grids.count(), 0U);
  EXPECT_TRUE(grids.take_for_stream(1));
}

TEST(GpuResidentGrids, ANodeThatWaitsGetsTheRoomBeforeAnyStream) {
  gpu::ResidentGrids grids(1);
  grids.take_for_stream(0);
  grids.take_for_stream(1);
  grids.take_for_node(40);
  const gpu::ResidentGrids::Next next = grids.leave();
  EXPECT_EQ(next.node, 40U);
  EXPECT_EQ(next.stream, kNone);
  EXPECT_EQ(grids.count(), 1U) << "it is the node's now";
}

TEST(GpuResidentGrids, StreamsGoOnInTheOrderInWhichTheyCameHoweverOftenTheyAsk) {
  gpu::ResidentGrids grids(1);
  grids.take_for_stream(0);
  grids.take_for_stream(1);
  grids.take_for_stream(2);
  grids.take_for_stream(1);
  EXPECT_EQ(grids.leave().stream, 1U);
  EXPECT_TRUE(grids.take_for_stream(1));
  EXPECT_EQ(grids.leave().stream, 2U);
  EXPECT_TRUE(grids.take_for_stream(2));
  EXPECT_EQ(grids.leave().stream, kNone);
}

}  // namespace
}  // namespace septet::test
