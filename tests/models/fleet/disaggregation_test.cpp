// Times of hand-made disaggregated runs, to the picosecond.
#include <gtest/gtest.h>

#include "tests/models/fleet/testing.hpp"

namespace septet::fleet {
namespace {

constexpr double kLatency = 0.1;  // of the router, in ms

// 5 ms and 1 ms for each token of the prompt.
class AffineTransfer : public serving::KvTransfer {
 public:
  Duration time(std::int64_t tokens) const override {
    return from_us(5000) + from_us(1000) * tokens;
  }
};

struct DisaggregatedFleet : Fleet {
  PrefillPool pool{
      roomy_engine(), {std::make_shared<AffineCost>(), {}}, std::make_shared<AffineTransfer>()};

  explicit DisaggregatedFleet(FirstToken first = FirstToken::kDecode) {
    spec.disaggregation = {1, from_us(2000), first};
    pool.engine.scheduler.keeps_finished = true;
    prefill = &pool;
  }
};

// A step takes 10 ms and 1 ms a token: the prompt 30, a token 11. Between them the router is passed
// twice, dispatch takes 2 ms and the transfer 25.
TEST(Disaggregation, TheFirstTokenOfADecodeReplicaComesAfterPrefillTransferAndAStep) {
  DisaggregatedFleet fleet;
  fleet.add(0, 20, 3);
  const FleetResult result = fleet.run();
  const RequestOutcome& outcome = result.requests.at(0);
  EXPECT_EQ(outcome.fate, Fate::kCompleted);
  EXPECT_EQ(ms(*outcome.admitted), kLatency);
  EXPECT_EQ(ms(*outcome.prefilled), kLatency + 30);
  EXPECT_DOUBLE_EQ(ms(*outcome.transfer_began), 3 * kLatency + 32);
  EXPECT_DOUBLE_EQ(ms(*outcome.transferred), 3 * kLatency + 57);
  EXPECT_DOUBLE_EQ(ms(outcome.first_token), 3 * kLatency + 57 + 11);
  EXPECT_DOUBLE_EQ(ms(outcome.finished), 3 * kLatency + 57 + 3 * 11);
  EXPECT_EQ(result.replicas.at(0).prompt_tokens, 1);  // computed again
  EXPECT_EQ(result.replicas.at(1).prompt_tokens, 20);
  EXPECT_TRUE(result.replicas.at(1).prefill);
}

TEST(Disaggregation, TheFirstTokenOfAPrefillReplicaComesAtOnceAndTheGapAfterItIsTheHandOver) {
  DisaggregatedFleet fleet(FirstToken::kPrefill);
  fleet.add(0, 20, 3);
  const FleetResult result = fleet.run();
  const RequestOutcome& outcome = result.requests.at(0);
  EXPECT_EQ(ms(outcome.first_token), kLatency + 30);
  EXPECT_DOUBLE_EQ(ms(outcome.finished), 3 * kLatency + 57 + 2 * 11);
  const FleetMetrics metrics = metrics_of(fleet.workload, result);
  EXPECT_DOUBLE_EQ(ms(metrics.of(Latency::kItl).at(100)), 2 * kLatency + 27 + 11);
  EXPECT_DOUBLE_EQ(ms(metrics.hand_over.mean()), 2 * kLatency + 27);
  EXPECT_DOUBLE_EQ(ms(metrics.transfer.mean()), 25);
}

TEST(Disaggregation, AnAnswerOfOneTokenMayEndWithItsPrompt) {
  DisaggregatedFleet fleet(FirstToken::kPrefill);
  fleet.add(0, 20, 1);
  const FleetResult result = fleet.run();
  EXPECT_EQ(result.requests.at(0).fate, Fate::kCompleted);
  EXPECT_EQ(ms(result.requests.at(0).finished), kLatency + 30);
  EXPECT_FALSE(result.requests.at(0).transferred.has_value());
  EXPECT_EQ(result.replicas.at(0).steps, 0U);
}

TEST(Disaggregation, TransfersToAReplicaFollowOneAnother) {
  DisaggregatedFleet fleet;
  fleet.add(0, 20, 1);
  fleet.add(0, 10, 1);
  const FleetResult result = fleet.run();
  // Both prompts share a step of 40 ms.
  EXPECT_DOUBLE_EQ(ms(*result.requests[0].transfer_began), 3 * kLatency + 42);
  EXPECT_EQ(result.requests[1].transfer_began, result.requests[0].transferred);
  EXPECT_DOUBLE_EQ(ms(*result.requests[1].transferred), 3 * kLatency + 42 + 25 + 15);
}

TEST(Disaggregation, ATransferWaitsForRoomAtTheReceiver) {
  DisaggregatedFleet fleet;
  fleet.engine.scheduler.kv_blocks = 3;  // of 16 tokens
  fleet.add(0, 30, 2);
  fleet.add(0, 30, 2);
  const FleetResult result = fleet.run();
  // The first answer needs two blocks until its second token.
  EXPECT_EQ(result.requests[1].transfer_began, result.requests[0].finished);
  EXPECT_EQ(result.requests[1].fate, Fate::kCompleted);
}

TEST(Disaggregation, WhatTheReceiverNeverHoldsIsRefusedAndTheSenderForgetsIt) {
  DisaggregatedFleet fleet;
  fleet.engine.scheduler.kv_blocks = 1;
  fleet.pool.engine.scheduler.kv_blocks = 3;
  for (int i = 0; i < 3; ++i) fleet.add(i, 30, 2);
  const FleetResult result = fleet.run();
  for (const RequestOutcome& outcome : result.requests) {
    EXPECT_EQ(outcome.fate, Fate::kRefused);
    EXPECT_EQ(outcome.refusal, serving::Entry::kBeyondCache);
  }
}

TEST(Disaggregation, GivesTheSameWithAnyNumberOfThreads) {
  DisaggregatedFleet fleet;
  fleet.spec.replicas = 3;
  fleet.spec.disaggregation->prefill_replicas = 2;
  fleet.spec.router.routing = Routing::kLeastLoaded;
  for (int i = 0; i < 60; ++i) fleet.add(7 * i, 5 + i % 13, 1 + i % 5);
  const FleetResult one = fleet.run();
  fleet.options.threads = 4;
  const FleetResult four = fleet.run();
  EXPECT_EQ(one.engine.digest, four.engine.digest);
  std::int64_t tokens = 0;
  for (const ReplicaTotals& replica : one.replicas) tokens += replica.output_tokens;
  EXPECT_EQ(tokens, metrics_of(fleet.workload, one).offered.output_tokens);
}

}  // namespace
}  // namespace septet::fleet
