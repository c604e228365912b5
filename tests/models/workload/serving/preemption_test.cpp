#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "models/workload/serving/scheduler.hpp"
#include "tests/models/workload/serving/testing.hpp"

namespace septet::serving {
namespace {

// Two sequences of 8 tokens fill 4 blocks; a fifth is missing once one of them grows beyond 8.
SchedulerSpec tight_spec() {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 4;
  return spec;
}

TEST(Preemption, TakesTheLastOneAndAdmitsNobodyInThatStep) {
  SchedulerSpec spec = tight_spec();
  spec.prefix_caching = false;
  Scheduler scheduler(spec);
  for (std::uint64_t i = 0; i < 2; ++i) scheduler.add({i, 8, 4});
  EXPECT_EQ(step(scheduler), "0:0+8>1 1:0+8>1");
  const StepPlan plan = scheduler.plan();
  EXPECT_EQ(text_of(plan), "0:8+1>1");
  EXPECT_EQ(plan.preempted, std::vector<std::uint64_t>{1});
  std::vector<Emission> out;
  scheduler.complete(plan, out);
  EXPECT_EQ(scheduler.waiting(), 1U);
  // One block is free: too few for the 9 tokens to compute again, enough for a chunk of 4.
  EXPECT_EQ(step(scheduler), "0:9+1>1");
}

TEST(Preemption, ReadmissionHitsThePrefixAgain) {
  Scheduler scheduler(tight_spec());
  scheduler.add({0, 8, 2});
  scheduler.add({1, 8, 3});
  EXPECT_EQ(step(scheduler), "0:0+8>1 1:0+8>1");
  EXPECT_EQ(step(scheduler), "0:8+1>1");  // takes one of the two blocks that 1 gave up: its last
  // The first block still holds 4 of the 9 tokens.
  EXPECT_EQ(step(scheduler), "1:4+5>1");
  EXPECT_EQ(step(scheduler), "1:9+1>1");
}

TEST(Preemption, OfOneThatRunsAloneEndsByItself) {
  SchedulerSpec spec = tight_spec();
  Scheduler scheduler(spec);
  scheduler.add({0, 8, 9});  // 16 tokens in the cache at the end
  scheduler.add({1, 8, 9});
  std::vector<Emission> out;
  int done = 0;
  for (int i = 0; i < 100 && done < 2; ++i) {
    step(scheduler, &out);
    for (const Emission& emission : out) done += emission.finished ? 1 : 0;
  }
  EXPECT_EQ(done, 2);
}

TEST(Preemption, BySwappingComputesNothingAgain) {
  SchedulerSpec spec = tight_spec();
  spec.preemption = Preemption::kSwap;
  spec.swap_blocks = 2;
  Scheduler scheduler(spec);
  scheduler.add({0, 8, 2});
  scheduler.add({1, 8, 3});
  step(scheduler);
  StepPlan plan = scheduler.plan();
  EXPECT_EQ(plan.swapped_out, 2U);
  std::vector<Emission> out;
  scheduler.complete(plan, out);
  plan = scheduler.plan();
  EXPECT_EQ(plan.swapped_in, 2U);
  EXPECT_EQ(text_of(plan), "1:8+1>1");
}

TEST(Preemption, RecomputesWhereTheHostHasNoRoomLeft) {
  SchedulerSpec spec = tight_spec();
  spec.preemption = Preemption::kSwap;
  spec.prefix_caching = false;
  spec.swap_blocks = 1;
  Scheduler scheduler(spec);
  scheduler.add({0, 8, 2});
  scheduler.add({1, 8, 3});
  step(scheduler);
  EXPECT_EQ(step(scheduler), "0:8+1>1");
  EXPECT_EQ(step(scheduler), "1:0+9>1");
}

TEST(Preemption, MayTakeTheOneThatWroteLeast) {
  for (const Victim victim : {Victim::kFewestOutputs, Victim::kLast}) {
    SchedulerSpec spec = small_spec();
    spec.max_num_batched_tokens = 32;
    spec.kv_blocks = 5;
    spec.victim = victim;
    Scheduler scheduler(spec);
    scheduler.add({0, 7, 9});
    scheduler.add({1, 8, 9});
    scheduler.add({2, 4, 9});
    EXPECT_EQ(step(scheduler), "0:0+7>1 1:0+8>1 2:0+4>1");
    // 1 needs a sixth block. It and 2 have written one token each; its prompt is the longer one.
    EXPECT_EQ(step(scheduler), victim == Victim::kLast ? "0:7+1>1 1:8+1>1" : "0:7+1>1 2:4+1>1");
  }
}

// Whatever happens, every request gets its tokens once, and the cache comes back whole.
TEST(Preemption, LosesNothingInRandomRuns) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random({seed, 0, 0});
    SchedulerSpec spec = small_spec();
    spec.kv_blocks = 12;
    spec.order = random.below(2) == 0 ? StepOrder::kMixed : StepOrder::kPrefillFirst;
    spec.victim = random.below(2) == 0 ? Victim::kLast : Victim::kFewestOutputs;
    spec.preemption = random.below(2) == 0 ? Preemption::kRecompute : Preemption::kSwap;
    spec.swap_blocks = static_cast<std::uint32_t>(random.below(10));
    spec.late_stop = random.below(2) == 0;
    spec.reservation.share = random.below(2) == 0 ? 0.0 : 0.5;
    Scheduler scheduler(spec, seed);
    std::vector<std::int64_t> missing;
    for (std::uint64_t i = 0; i < 12; ++i) {
      const auto input = static_cast<std::int64_t>(1 + random.below(24));
      missing.push_back(static_cast<std::int64_t>(1 + random.below(20)));
      ASSERT_EQ(scheduler.add({i, input, missing.back()}), Entry::kQueued);
    }
    // Overlapped: one step is always under way.
    StepPlan running = scheduler.plan();
    for (int i = 0; i < 3000; ++i) {
      StepPlan next = scheduler.plan();
      std::vector<Emission> out;
      scheduler.complete(running, out);
      for (const Emission& emission : out) {
        missing[emission.request] -= emission.tokens;
        EXPECT_EQ(emission.finished, missing[emission.request] == 0);
      }
      running = std::move(next);
    }
    EXPECT_EQ(missing, std::vector<std::int64_t>(12));
    EXPECT_EQ(scheduler.cache().unused(), spec.kv_blocks);
  }
}

}  // namespace
}  // namespace septet::serving
