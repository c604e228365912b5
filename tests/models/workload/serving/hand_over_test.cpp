// Disaggregation: the receiver's blocks and the sender's, step by step.
#include <gtest/gtest.h>

#include "tests/models/workload/serving/testing.hpp"

namespace septet::serving {
namespace {

SequenceSpec sequence(std::uint64_t request, std::int64_t input, std::int64_t output) {
  return {request, input, output, {}, static_cast<std::uint32_t>(request)};
}

TEST(HandOver, AReceivedSequenceComputesTheLastTokenOfItsPromptAgain) {
  Scheduler scheduler(small_spec());
  EXPECT_EQ(scheduler.receive(sequence(0, 10, 3)), Entry::kQueued);
  EXPECT_EQ(step(scheduler), "");  // its keys and values haven't come
  EXPECT_EQ(scheduler.stage(), 0U);
  EXPECT_EQ(scheduler.cache().blocks() - scheduler.cache().unused(), 3U);  // 10 tokens by 4
  EXPECT_EQ(step(scheduler), "");
  EXPECT_TRUE(scheduler.arrive(0, false));
  EXPECT_EQ(steps(scheduler, 4), (Lines{"0:9+1>1", "0:10+1>1", "0:11+1>1", ""}));
  EXPECT_EQ(scheduler.cache().unused(), scheduler.cache().blocks());
}

TEST(HandOver, AFirstTokenThatCameAlongIsTheNextOnesInput) {
  Scheduler scheduler(small_spec());
  scheduler.receive(sequence(0, 10, 3));
  scheduler.stage();
  scheduler.arrive(0, true);
  EXPECT_EQ(steps(scheduler, 3), (Lines{"0:10+1>1", "0:11+1>1", ""}));
}

TEST(HandOver, TheWholePromptNeedsRoomBeforeItIsSent) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 5;
  Scheduler scheduler(spec);
  scheduler.receive(sequence(0, 12, 2));
  scheduler.receive(sequence(1, 12, 2));
  EXPECT_EQ(scheduler.stage(), 0U);
  EXPECT_EQ(scheduler.stage(), std::nullopt);  // three of five blocks are taken
  scheduler.arrive(0, false);
  step(scheduler);
  EXPECT_EQ(scheduler.stage(), std::nullopt);
  step(scheduler);  // the first answer ends
  EXPECT_EQ(scheduler.stage(), 1U);
}

TEST(HandOver, ASenderKeepsBlocksUntilTheyAreFetched) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 4;
  spec.keeps_finished = true;
  spec.chunked_prefill = false;
  Scheduler scheduler(spec);
  scheduler.add(sequence(0, 12, 1));
  scheduler.add(sequence(1, 12, 1));
  EXPECT_EQ(steps(scheduler, 2), (Lines{"0:0+12>1", ""}));  // no room for the second
  EXPECT_TRUE(scheduler.release(0));
  EXPECT_FALSE(scheduler.release(0));
  EXPECT_EQ(step(scheduler), "1:0+12>1");
}

TEST(HandOver, WhatNeverFitsIsRefused) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 3;
  EXPECT_EQ(Scheduler(spec).receive(sequence(0, 12, 2)), Entry::kBeyondCache);
}

}  // namespace
}  // namespace septet::serving
