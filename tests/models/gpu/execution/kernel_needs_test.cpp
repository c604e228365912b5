#include "models/gpu/execution/kernel_needs.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::test {
namespace {

using gpu::KernelNeeds;

// A kernel that fits an SM, and one of whose blocks nothing fits.
program::Program two_kernels() {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 128, 1_us));
  builder.kernel(program::spin_kernel(1, 2048, 1_us));
  return builder.take();
}

TEST(KernelNeeds, AreThoseOfABlock) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 128, 1_us));
  const gpu::KernelNeeds needs(builder.take(), testing::h200_sm(), false);
  EXPECT_EQ(needs.of(0).warps, 4U);
  EXPECT_EQ(needs.why_impossible(0), "");
}

TEST(KernelNeeds, OfAnImpossibleBlockAreAnErrorUnlessItMayRunOnOtherGpus) {
  const program::Program program = two_kernels();
  EXPECT_THROW(gpu::KernelNeeds(program, testing::h200_sm(), false), ModelError);
  const gpu::KernelNeeds needs(program, testing::h200_sm(), true);
  EXPECT_EQ(needs.why_impossible(0), "");
  EXPECT_NE(needs.why_impossible(1).find("2048 x 1 x 1 threads"), std::string::npos)
      << needs.why_impossible(1);
}

TEST(KernelNeeds, TakeRoomWhereSomeKernelIsModelledOrRecordedOnesShare) {
  program::ProgramBuilder recorded;
  recorded.kernel({"recorded", {}, program::RecordedWork{}, {}});
  const gpu::KernelNeeds one(recorded.take(), testing::h200_sm(), false);
  EXPECT_FALSE(one.take_room(false));
  EXPECT_TRUE(one.take_room(true));
  program::ProgramBuilder modelled(two_kernels());
  modelled.thread();
  modelled.launch(0, modelled.stream());
  EXPECT_TRUE(gpu::KernelNeeds(modelled.program(), testing::h200_sm(), true).take_room(false));
  program::ProgramBuilder in_graph(two_kernels());
  in_graph.graph(program::chain_graph(0, 2));
  EXPECT_TRUE(gpu::KernelNeeds(in_graph.take(), testing::h200_sm(), true).take_room(false));
  const gpu::KernelNeeds none(program::Program{}, testing::h200_sm(), false);
  EXPECT_FALSE(none.take_room(true));
}

// Operators that were timed before the run are like recorded kernels.
TEST(KernelNeeds, TakeNoRoomWhereEveryLaunchHasADuration) {
  program::ProgramBuilder builder(two_kernels());
  builder.thread();
  builder.add({.what = program::LaunchKernel{0, false, 3_us}, .stream = builder.stream()});
  EXPECT_FALSE(gpu::KernelNeeds(builder.take(), testing::h200_sm(), true).take_room(false));
}

TEST(KernelNeeds, OfACollectiveAreThoseOfNcclsBlocks) {
  program::ProgramBuilder builder;
  program::Collective collective;
  collective.communicator = builder.communicator({0});
  builder.collective(collective);
  const gpu::KernelNeeds needs(builder.take(), testing::h200_sm(), false);
  EXPECT_EQ(needs.of_collective().warps, 17U);  // 544 threads
}

}  // namespace
}  // namespace septet::test
