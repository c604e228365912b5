#include "models/gpu/operators/operand_state.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

// L2 of 10 MB, 60 % of it dirty.
gpu::GpuSpec dirty_gpu() {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.operators.pipeline.dirty_share = 0.6;
  return gpu;
}

TEST(ColdWrites, AreTheDirtyLinesThatReadsReplace) {
  EXPECT_DOUBLE_EQ(cold_writes(dirty_gpu(), 0, 0), 0);
  EXPECT_NEAR(cold_writes(dirty_gpu(), 1e12, 0), 6e6, 1);
  // As many bytes as the cache holds find 1 - 1 / e of its lines.
  EXPECT_NEAR(cold_writes(dirty_gpu(), 10e6, 0), 6e6 * (1 - std::exp(-1)), 1);
}

TEST(ColdWrites, OfLargeOutputsAreWhatTheCacheCannotKeep) {
  EXPECT_NEAR(cold_writes(dirty_gpu(), 0, 1e9), 6e6 + 990e6, 1);
}

TEST(WriteHit, FollowsWhereTheOutputGoes) {
  EXPECT_DOUBLE_EQ(write_hit(operator_gpu(), {0, false, false}, 100, 100), 0);
  EXPECT_DOUBLE_EQ(write_hit(operator_gpu(), {0, false, true}, 100, 100), 1);
  // Replaced lines of 6 MB against 1 MB of output.
  EXPECT_LT(write_hit(dirty_gpu(), {0, true, false}, 1e9, 1e6), -4);
}

TEST(ReplayedHit, IsOneHalfAtFourFifthsOfTheCache) {
  EXPECT_NEAR(replayed_hit(operator_gpu(), 8e6), 0.5, 1e-9);
  EXPECT_GT(replayed_hit(operator_gpu(), 1e6), 0.99);
  EXPECT_LT(replayed_hit(operator_gpu(), 20e6), 0.01);
}

}  // namespace
}  // namespace septet::testing
