#include <gtest/gtest.h>

#include "models/workload/serving/scheduler.hpp"
#include "tests/models/workload/serving/testing.hpp"

namespace septet::serving {
namespace {

using requests::kAllTokens;
using requests::Piece;

TEST(PrefixCaching, ASecondRequestFindsWholeBlocksOfTheFirst) {
  Scheduler scheduler(small_spec());
  const std::vector<Piece> shared{{10, 7}};  // 10 tokens: two blocks of 4 and a half one
  scheduler.add({0, 12, 1, shared});
  EXPECT_EQ(step(scheduler), "0:0+12>1");
  scheduler.add({1, 15, 1, shared});
  EXPECT_EQ(step(scheduler), "1:8+7>1");
}

TEST(PrefixCaching, AFullHitComputesTheLastTokenAgain) {
  Scheduler scheduler(small_spec());
  const std::vector<Piece> same{{8, 7}};
  scheduler.add({0, 8, 1, same});
  step(scheduler);
  scheduler.add({1, 8, 1, same});
  // At most 7 tokens may be found, rounded down to blocks.
  EXPECT_EQ(step(scheduler), "1:4+4>1");
}

TEST(PrefixCaching, RequestsOfOneStepShareBlocks) {
  Scheduler scheduler(small_spec());
  const std::vector<Piece> shared{{4, 7}};
  scheduler.add({0, 6, 2, shared});
  scheduler.add({1, 6, 2, shared});
  EXPECT_EQ(step(scheduler), "0:0+6>1 1:4+2>1");
  EXPECT_EQ(scheduler.cache().unused(), 97U);
}

TEST(PrefixCaching, AConversationFindsItsAnswersToo) {
  Scheduler scheduler(small_spec());
  const std::vector<Piece> talk{{kAllTokens, 3}};
  scheduler.add({0, 4, 5, talk});  // 8 of the 9 tokens get into the cache
  steps(scheduler, 5);
  scheduler.add({1, 13, 1, talk});
  EXPECT_EQ(step(scheduler), "1:8+5>1");
}

TEST(PrefixCaching, OtherContentIsNotFound) {
  Scheduler scheduler(small_spec());
  const std::vector<Piece> one{{8, 1}};
  const std::vector<Piece> other{{8, 2}};
  scheduler.add({0, 9, 1, one});
  step(scheduler);
  scheduler.add({1, 9, 1, other});
  EXPECT_EQ(step(scheduler), "1:0+9>1");
}

TEST(PrefixCaching, WhatWasFreedLongestAgoIsLostFirst) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 4;
  Scheduler scheduler(spec);
  const std::vector<Piece> one{{8, 1}};
  const std::vector<Piece> other{{8, 2}};
  scheduler.add({0, 8, 1, one});
  step(scheduler);
  scheduler.add({1, 8, 1, other});
  step(scheduler);
  scheduler.add({2, 4, 1});  // needs one block: the last of the first one's
  step(scheduler);
  scheduler.add({3, 9, 1, other});
  EXPECT_EQ(step(scheduler), "3:8+1>1");
}

TEST(PrefixCaching, CanBeOff) {
  SchedulerSpec spec = small_spec();
  spec.prefix_caching = false;
  Scheduler scheduler(spec);
  const std::vector<Piece> shared{{8, 7}};
  for (std::uint64_t i = 0; i < 2; ++i) scheduler.add({i, 8, 1, shared});
  EXPECT_EQ(step(scheduler), "0:0+8>1 1:0+8>1");
}

}  // namespace
}  // namespace septet::serving
