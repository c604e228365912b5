#include "models/gpu/execution/kernel_needs.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::test {
namespace {

using gpu::KernelNeeds;

// A kernel that fits an SM, and one of whose blocks nothing fits.
Program two_kernels() {
  ProgramBuilder builder;
  builder.kernel(spin_kernel(1, 128, 1_us));
  builder.kernel(spin_kernel(1, 2048, 1_us));
  return builder.take();
}

TEST(KernelNeeds, AreThoseOfABlock) {
  ProgramBuilder builder;
  builder.kernel(spin_kernel(1, 128, 1_us));
  const KernelNeeds needs(builder.take(), testing::h200_sm(), false);
  EXPECT_EQ(needs.of(0).warps, 4U);
  EXPECT_EQ(needs.why_impossible(0), "");
}

TEST(KernelNeeds, OfAnImpossibleBlockAreAnErrorUnlessItMayRunOnOtherGpus) {
  const Program program = two_kernels();
  EXPECT_THROW(KernelNeeds(program, testing::h200_sm(), false), ModelError);
  const KernelNeeds needs(program, testing::h200_sm(), true);
  EXPECT_EQ(needs.why_impossible(0), "");
  EXPECT_NE(needs.why_impossible(1).find("2048 threads"), std::string::npos)
      << needs.why_impossible(1);
}

TEST(KernelNeeds, TakeRoomWhereSomeKernelIsModelledOrRecordedOnesShare) {
  ProgramBuilder recorded;
  recorded.kernel({"recorded", {}, RecordedWork{}, {}});
  const KernelNeeds one(recorded.take(), testing::h200_sm(), false);
  EXPECT_FALSE(one.take_room(false));
  EXPECT_TRUE(one.take_room(true));
  const KernelNeeds both(two_kernels(), testing::h200_sm(), true);
  EXPECT_TRUE(both.take_room(false));
  const KernelNeeds none(Program{}, testing::h200_sm(), false);
  EXPECT_FALSE(none.take_room(true));
}

TEST(KernelNeeds, OfACollectiveAreThoseOfNcclsBlocks) {
  ProgramBuilder builder;
  Collective collective;
  collective.communicator = builder.communicator({0});
  builder.collective(collective);
  const KernelNeeds needs(builder.take(), testing::h200_sm(), false);
  EXPECT_EQ(needs.of_collective().warps, 17U);  // 544 threads
}

}  // namespace
}  // namespace septet::test
