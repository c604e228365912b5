#include "models/fleet/replica.hpp"

#include <gtest/gtest.h>

#include "tests/models/fleet/testing.hpp"

namespace septet::fleet {
namespace {

constexpr double kLatency = 0.1;  // of the router, in ms

TEST(Replica, StepsOneAfterAnother) {
  Fleet fleet;
  fleet.add(0, 20, 3);
  const RequestOutcome outcome = fleet.run().requests.at(0);
  EXPECT_EQ(outcome.fate, Fate::kCompleted);
  EXPECT_EQ(ms(*outcome.admitted), kLatency);
  EXPECT_EQ(ms(outcome.first_token), kLatency + 30);
  EXPECT_EQ(ms(outcome.finished), kLatency + 30 + 2 * 11);
}

TEST(Replica, RequestsOfOneInstantShareAStep) {
  Fleet fleet;
  fleet.add(5, 20, 1);
  fleet.add(5, 10, 1);
  const FleetResult result = fleet.run();
  EXPECT_EQ(ms(result.requests[0].finished), 5 + kLatency + 40);
  EXPECT_EQ(result.requests[1].finished, result.requests[0].finished);
  EXPECT_EQ(result.replicas[0].steps, 1U);
}

TEST(Replica, ARequestWaitsForTheStepUnderWay) {
  Fleet fleet;
  fleet.add(0, 20, 1);
  fleet.add(10, 5, 1);
  const FleetResult result = fleet.run();
  EXPECT_EQ(ms(*result.requests[1].admitted), kLatency + 30);
  EXPECT_EQ(ms(result.requests[1].finished), kLatency + 30 + 15);
}

TEST(Replica, FrontEndAndHostComeOnTop) {
  Fleet fleet;
  fleet.engine.front_end = {from_us(2000), from_us(100), from_us(500)};
  fleet.engine.host = {from_us(4000), from_us(1000), {}, false};
  fleet.add(0, 20, 2);
  const RequestOutcome outcome = fleet.run().requests.at(0);
  const double queued = kLatency + 2 + 20 * 0.1;
  EXPECT_EQ(ms(*outcome.admitted), queued);
  EXPECT_DOUBLE_EQ(ms(outcome.first_token), queued + 5 + 30 + 0.5);
  EXPECT_DOUBLE_EQ(ms(outcome.finished), queued + 5 + 30 + 5 + 11 + 0.5);
}

TEST(Replica, WithOverlapAStepTakesTheLongerOfHostAndGpu) {
  Fleet fleet;
  fleet.engine.host = {from_us(4000), {}, {}, true};
  fleet.add(0, 20, 3);
  EXPECT_EQ(ms(fleet.run().requests[0].finished), kLatency + 4 + 30 + 2 * 11);
  fleet.engine.host.per_step = from_us(15'000);
  // The last step is planned when the second begins, and the host takes longer than the GPU.
  EXPECT_EQ(ms(fleet.run().requests[0].finished), kLatency + 15 + 30 + 15 + 11);
}

TEST(Replica, WithOverlapARequestThatComesDuringAStepMissesThePlannedOne) {
  Fleet fleet;
  fleet.engine.host = {from_us(1000), {}, {}, true};
  fleet.add(0, 20, 5);
  fleet.add(2, 5, 1);  // the first step runs from 1.1 to 31.1, the second was planned at 1.1
  const FleetResult result = fleet.run();
  EXPECT_EQ(ms(*result.requests[1].admitted), kLatency + 1 + 30);
  // In the third step, beside a decode: begins at 31.1 + 11.
  EXPECT_EQ(ms(result.requests[1].finished), kLatency + 1 + 30 + 11 + 16);
}

TEST(Replica, GapsOfAllTokensAreCounted) {
  Fleet fleet;
  fleet.add(0, 20, 3);
  fleet.add(0, 20, 3);
  const FleetResult result = fleet.run();
  ASSERT_EQ(result.gaps.size(), 2U);
  EXPECT_EQ(ms(result.gaps[0].gap), 12);
  EXPECT_EQ(result.gaps[0].count, 2);
}

TEST(Replica, RecordsItsStepsAsTheyWerePlanned) {
  Fleet fleet;
  fleet.records_steps = true;
  fleet.engine.scheduler.max_num_seqs = 1;
  fleet.add(0, 20, 2);
  fleet.add(0, 10, 1);
  const FleetResult result = fleet.run();
  ASSERT_EQ(result.steps.size(), 3U);
  const records::ServingStepRecord& first = result.steps[0];
  EXPECT_EQ(ms(first.planned), kLatency);
  EXPECT_EQ(first.tokens, 20);
  EXPECT_EQ(first.prompt_tokens, 20);
  EXPECT_EQ(first.waiting, 1);  // the engine runs one at a time
  EXPECT_EQ(ms(first.gpu), 30);
  EXPECT_DOUBLE_EQ(first.kv_use, 2.0 / 10'000);  // 20 tokens in blocks of 16
  EXPECT_EQ(ms(result.steps[1].planned), kLatency + 30);
  EXPECT_EQ(result.steps[1].sequences, 1);
  EXPECT_EQ(result.steps[2].tokens, 10);
  fleet.records_steps = false;
  EXPECT_TRUE(fleet.run().steps.empty());
}

TEST(Replica, RefusesWhatIsTooLong) {
  Fleet fleet;
  fleet.engine.scheduler.max_model_len = 30;
  fleet.add(0, 20, 11);
  fleet.add(0, 20, 10);
  const FleetResult result = fleet.run();
  EXPECT_EQ(result.requests[0].fate, Fate::kRefused);
  EXPECT_EQ(result.requests[0].refusal, serving::Entry::kBeyondModel);
  EXPECT_EQ(result.requests[1].fate, Fate::kCompleted);
}

}  // namespace
}  // namespace septet::fleet
