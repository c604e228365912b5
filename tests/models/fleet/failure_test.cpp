#include <cmath>

#include <gtest/gtest.h>

#include "tests/models/fleet/testing.hpp"

namespace septet::fleet {
namespace {

Instant at_ms(double time) { return Instant(from_us(time * 1000).count()); }

TEST(Failure, RequestsStartAgainOnAnotherReplica) {
  Fleet fleet;
  fleet.spec.replicas = 2;
  fleet.spec.failures = {{0, at_ms(50), from_seconds(100)}};
  fleet.add(0, 20, 100);
  const FleetResult result = fleet.run();
  EXPECT_EQ(result.requests[0].replica, 1U);
  EXPECT_EQ(result.requests[0].attempts, 2U);
  EXPECT_EQ(ms(result.requests[0].sent), 0);
  EXPECT_EQ(ms(result.requests[0].first_token), 50 + 0.1 + 30);
  EXPECT_EQ(result.replicas[0].failures, 1U);
}

TEST(Failure, RequestsWaitForTheRepairWhereThereIsNoOther) {
  Fleet fleet;
  fleet.spec.failures = {{0, at_ms(50), from_seconds(1)}};
  fleet.add(0, 20, 100);
  fleet.add(60, 20, 1);
  const FleetResult result = fleet.run();
  EXPECT_EQ(ms(result.requests[0].first_token), 1050 + 0.1 + 50);
  EXPECT_EQ(result.requests[1].first_token, result.requests[0].first_token);
  EXPECT_EQ(ms(result.requests[1].sent), 1050);
}

TEST(Failure, AnAnswerThatLeftJustBeforeCountsForNothing) {
  Fleet fleet;
  // The answer leaves at 30.1 and would reach the router at 30.2.
  fleet.spec.failures = {{0, at_ms(30.15), from_seconds(1)}};
  fleet.spec.router.routing = Routing::kLeastLoaded;
  fleet.add(0, 20, 1);
  const RequestOutcome outcome = fleet.run().requests[0];
  EXPECT_EQ(outcome.attempts, 2U);
  EXPECT_NEAR(ms(outcome.finished), 1030.15 + 0.1 + 30, 1e-9);
}

TEST(Failure, ComesAsOftenAsItsMeanTimeSays) {
  constexpr double kRuns = 2000;
  const auto failures = random_failures(4, from_seconds(10), from_seconds(10),
                                        Instant(from_seconds(20 * kRuns / 4).count()), 1);
  // A cycle of each takes 20 s: 500 cycles of 4 replicas, standard deviation of a sum of n gaps.
  EXPECT_NEAR(static_cast<double>(failures.size()), kRuns, 5 * std::sqrt(kRuns) / 2);
  for (std::size_t i = 1; i < failures.size(); ++i) EXPECT_GE(failures[i].at, failures[i - 1].at);
}

}  // namespace
}  // namespace septet::fleet
