#include "models/program/protocol.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

TEST(Protocol, ACommandsNameSurvivesPackingUpToItsLimits) {
  const std::uint64_t last_call = (std::uint64_t{1} << 40) - 1;
  const std::uint32_t last_thread = (1U << 24) - 1;
  for (const program::CommandName name :
       {program::CommandName{0, 0}, program::CommandName{0, last_call},
        program::CommandName{last_thread, 0}, program::CommandName{last_thread, last_call}}) {
    EXPECT_EQ(program::unpack(pack(name)).thread, name.thread);
    EXPECT_EQ(program::unpack(pack(name)).call, name.call);
  }
}

TEST(Protocol, AGenerationIsReachedByItselfAndByLaterOnes) {
  EXPECT_TRUE(program::reached(5, 5));
  EXPECT_TRUE(program::reached(6, 5));
  EXPECT_FALSE(program::reached(4, 5));
}

TEST(Protocol, GenerationsAreComparedAcrossTheWrap) {
  EXPECT_TRUE(program::reached(0, 65535)) << "0 comes after 65,535";
  EXPECT_FALSE(program::reached(65535, 0));
  // 2^15 - 1 records ahead is later, 2^15 is as far as can't be told any more.
  EXPECT_TRUE(program::reached(32767, 0));
  EXPECT_FALSE(program::reached(32768, 0));
}

}  // namespace
}  // namespace septet::test
