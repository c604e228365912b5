#include "models/workload/serving/scheduler.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/workload/serving/testing.hpp"

namespace septet::serving {
namespace {

TEST(Scheduler, GivesAPromptItsFirstTokenAndThenOneTokenAStep) {
  Scheduler scheduler(small_spec());
  scheduler.add({0, 10, 3});
  EXPECT_EQ(steps(scheduler, 4), (Lines{"0:0+10>1", "0:10+1>1", "0:11+1>1", ""}));
  EXPECT_EQ(scheduler.running(), 0U);
  EXPECT_EQ(scheduler.cache().unused(), 100U);
}

TEST(Scheduler, CutsTheLastPromptToWhatIsLeftOfTheBudget) {
  Scheduler scheduler(small_spec());
  scheduler.add({0, 10, 5});
  scheduler.add({1, 10, 5});
  // The second prompt gets 16 - 10 tokens, then the decode of the first comes before its rest.
  EXPECT_EQ(steps(scheduler, 3),
            (Lines{"0:0+10>1 1:0+6", "0:10+1>1 1:6+4>1", "0:11+1>1 1:10+1>1"}));
}

TEST(Scheduler, RunningSequencesComeBeforeWaitingOnes) {
  Scheduler scheduler(small_spec());
  scheduler.add({0, 30, 2});
  EXPECT_EQ(step(scheduler), "0:0+16");
  scheduler.add({1, 3, 2});
  EXPECT_EQ(step(scheduler), "0:16+14>1 1:0+2");
  EXPECT_EQ(step(scheduler), "0:30+1>1 1:2+1>1");
}

TEST(Scheduler, ALimitOnChunksLeavesBudgetForOthers) {
  SchedulerSpec spec = small_spec();
  spec.max_chunk = 8;
  Scheduler scheduler(spec);
  scheduler.add({0, 20, 1});
  scheduler.add({1, 20, 1});
  EXPECT_EQ(steps(scheduler, 3), (Lines{"0:0+8 1:0+8", "0:8+8 1:8+8", "0:16+4>1 1:16+4>1"}));
}

TEST(Scheduler, AdmitsNoMoreThanMaxNumSeqs) {
  SchedulerSpec spec = small_spec();
  spec.max_num_seqs = 1;
  Scheduler scheduler(spec);
  scheduler.add({0, 4, 2});
  scheduler.add({1, 4, 1});
  EXPECT_EQ(steps(scheduler, 3), (Lines{"0:0+4>1", "0:4+1>1", "1:0+4>1"}));
}

TEST(Scheduler, WithoutChunksAPromptWaitsForAStepThatTakesAllOfIt) {
  SchedulerSpec spec = small_spec();
  spec.chunked_prefill = false;
  Scheduler scheduler(spec);
  scheduler.add({0, 10, 2});
  scheduler.add({1, 10, 1});
  // 6 tokens are left in the first step, 15 beside the decode in the second.
  EXPECT_EQ(steps(scheduler, 2), (Lines{"0:0+10>1", "0:10+1>1 1:0+10>1"}));
}

TEST(Scheduler, PrefillFirstLetsDecodesWaitWhileThereArePrompts) {
  SchedulerSpec spec = small_spec();
  spec.order = StepOrder::kPrefillFirst;
  Scheduler scheduler(spec);
  scheduler.add({0, 10, 3});
  EXPECT_EQ(step(scheduler), "0:0+10>1");
  scheduler.add({1, 20, 2});
  EXPECT_EQ(steps(scheduler, 4), (Lines{"1:0+16", "1:16+4>1", "0:10+1>1 1:20+1>1", "0:11+1>1"}));
}

TEST(Scheduler, DecodesOfAPrefillFirstEngineHaveNoBudget) {
  SchedulerSpec spec = small_spec();
  spec.order = StepOrder::kPrefillFirst;
  spec.max_num_batched_tokens = 2;
  Scheduler scheduler(spec);
  for (std::uint64_t i = 0; i < 3; ++i) scheduler.add({i, 1, 2});
  EXPECT_EQ(steps(scheduler, 3), (Lines{"0:0+1>1 1:0+1>1", "2:0+1>1", "0:1+1>1 1:1+1>1 2:1+1>1"}));
}

TEST(Scheduler, RefusesWhatCanNeverRun) {
  SchedulerSpec spec = small_spec();
  spec.max_model_len = 40;
  spec.kv_blocks = 8;  // 32 tokens, of which the last of an answer needs none
  spec.max_waiting = 1;
  Scheduler scheduler(spec);
  EXPECT_EQ(scheduler.add({0, 40, 1}), Entry::kBeyondModel);
  EXPECT_EQ(scheduler.add({1, 30, 4}), Entry::kBeyondCache);
  EXPECT_EQ(scheduler.add({2, 30, 3}), Entry::kQueued);
  EXPECT_EQ(scheduler.add({3, 1, 1}), Entry::kQueueFull);
  spec.chunked_prefill = false;
  EXPECT_EQ(Scheduler(spec).add({4, 17, 1}), Entry::kBeyondStep);
  EXPECT_EQ(Scheduler(spec).add({5, 16, 1}), Entry::kQueued);
}

TEST(Scheduler, AnOverlappedEngineDoesNotRunAnAnswerBeyondItsKnownEnd) {
  Scheduler scheduler(small_spec());
  std::vector<Emission> out;
  scheduler.add({0, 4, 2});
  const StepPlan first = scheduler.plan();
  const StepPlan second = scheduler.plan();  // while the first one runs
  EXPECT_EQ(text_of(second), "0:4+1>1");
  scheduler.complete(first, out);
  const StepPlan third = scheduler.plan();
  EXPECT_TRUE(third.empty());
  scheduler.complete(second, out);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_TRUE(out[0].first);
  EXPECT_TRUE(out[1].finished);
}

TEST(Scheduler, ALateStopComputesOneStepInVain) {
  SchedulerSpec spec = small_spec();
  spec.late_stop = true;
  Scheduler scheduler(spec);
  std::vector<Emission> out;
  scheduler.add({0, 4, 1});
  const StepPlan first = scheduler.plan();
  const StepPlan second = scheduler.plan();
  EXPECT_EQ(text_of(second), "0:4+1");
  EXPECT_TRUE(scheduler.plan().empty());
  scheduler.complete(first, out);
  EXPECT_EQ(scheduler.running(), 0U);
  scheduler.complete(second, out);
  EXPECT_EQ(out.size(), 1U);
}

TEST(Scheduler, ReservesWholeAnswersWhereNothingMayBePreempted) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 5;
  spec.reservation.share = 1;
  Scheduler scheduler(spec);
  scheduler.add({0, 4, 8});  // 3 blocks in the end
  scheduler.add({1, 4, 8});  // 3 more don't fit into 5
  EXPECT_EQ(steps(scheduler, 9).back(), "1:0+4>1");
}

TEST(Scheduler, AFallingReservationAdmitsMoreAsTimeGoesOn) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 6;
  spec.order = StepOrder::kPrefillFirst;
  spec.reservation = {1, 0, 2, {}};  // all, half after one decode, none after two
  Scheduler scheduler(spec);
  scheduler.add({0, 4, 16});  // 5 blocks
  scheduler.add({1, 4, 8});   // 3 blocks: admitted once 3 are free without the first one's future
  EXPECT_EQ(steps(scheduler, 4), (Lines{"0:0+4>1", "0:4+1>1", "0:5+1>1", "1:0+4>1"}));
}

TEST(Scheduler, ContradictionsAreErrors) {
  SchedulerSpec spec = small_spec();
  spec.kv_blocks = 0;
  EXPECT_THROW(Scheduler{spec}, ModelError);
  spec = small_spec();
  spec.speculation.draft_steps = 2;
  EXPECT_THROW(Scheduler{spec}, ModelError);
}

}  // namespace
}  // namespace septet::serving
