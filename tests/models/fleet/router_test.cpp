#include "models/fleet/router.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/workload/requests/synthetic_workload.hpp"
#include "tests/models/fleet/testing.hpp"

namespace septet::fleet {
namespace {

std::vector<std::uint32_t> replicas_of(const FleetResult& result) {
  std::vector<std::uint32_t> out;
  for (const RequestOutcome& outcome : result.requests) out.push_back(outcome.replica);
  return out;
}

TEST(Router, RoundRobinTakesReplicasInTurn) {
  Fleet fleet;
  fleet.spec.replicas = 3;
  for (int i = 0; i < 5; ++i) fleet.add(i, 10, 1);
  EXPECT_EQ(replicas_of(fleet.run()), (std::vector<std::uint32_t>{0, 1, 2, 0, 1}));
}

TEST(Router, LeastLoadedAvoidsABusyReplica) {
  Fleet fleet;
  fleet.spec.replicas = 2;
  fleet.spec.router.routing = Routing::kLeastLoaded;
  fleet.add(0, 500, 1);   // replica 0, for 510 ms
  fleet.add(1, 10, 1);    // replica 1, for 20 ms
  fleet.add(100, 10, 1);  // replica 1 has none again
  fleet.add(101, 10, 1);  // one each: the first of both
  EXPECT_EQ(replicas_of(fleet.run()), (std::vector<std::uint32_t>{0, 1, 1, 0}));
}

TEST(Router, PrefixAwareFollowsTheBeginning) {
  Fleet fleet;
  fleet.spec.replicas = 2;
  for (const std::int64_t at : {0, 99, 100}) {
    fleet.add(at, 40, 10);
    // The second one has nothing in common with the others, and keeps the first replica busy.
    if (at != 99) fleet.workload.requests.back().pieces = {{32, 1}};
  }
  fleet.workload.requests[0].output_tokens = 1;
  fleet.spec.router.routing = Routing::kLeastLoaded;
  EXPECT_EQ(replicas_of(fleet.run()), (std::vector<std::uint32_t>{0, 0, 1}));
  fleet.spec.router.routing = Routing::kPrefixAware;
  const FleetResult result = fleet.run();
  EXPECT_EQ(replicas_of(result), (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(result.requests[2].cached_tokens, 32);
  fleet.spec.router.most_imbalance = 0;
  EXPECT_EQ(replicas_of(fleet.run()), (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(Router, ClientsWaitBehindTheirLimitOfConcurrency) {
  Fleet fleet;
  fleet.workload.concurrency = 1;
  fleet.add(0, 20, 1);
  fleet.add(0, 20, 1);
  const FleetResult result = fleet.run();
  // 0.1 there, 30 for the step, 0.1 back.
  EXPECT_EQ(ms(result.requests[1].sent), 30.2);
  EXPECT_EQ(ms(*result.requests[1].arrived), 0);
  EXPECT_EQ(ms(result.requests[1].finished), 30.2 + 0.1 + 30);
}

TEST(Router, AFollowUpComesAfterTheAnswerAndAPause) {
  Fleet fleet;
  fleet.add(0, 20, 1);
  fleet.add(0, 20, 1);
  fleet.workload.requests[1].follows = 0;
  fleet.workload.requests[1].pause = from_us(7000);
  EXPECT_EQ(ms(*fleet.run().requests[1].arrived), 30.2 + 7);
}

TEST(Router, IsTheSameForAnyNumberOfThreads) {
  requests::SyntheticWorkload synthetic;
  synthetic.requests = 300;
  synthetic.arrivals.rate = 30;
  synthetic.input = {requests::LengthKind::kLognormal, 50, 1, 400, 1};
  synthetic.output = {requests::LengthKind::kLognormal, 10, 1, 100, 1};
  synthetic.turns.count = 2;
  for (const Routing routing : values_of<Routing>()) {
    SCOPED_TRACE(text_of(routing));
    Fleet fleet;
    fleet.spec.replicas = 5;
    fleet.spec.router.routing = routing;
    fleet.spec.failures = {{2, Instant(from_seconds(3).count()), from_seconds(2)}};
    fleet.workload = requests::synthetic_workload(synthetic, 7);
    const FleetResult one = fleet.run();
    fleet.options.threads = 4;
    const FleetResult other = fleet.run();
    EXPECT_EQ(one.engine.digest, other.engine.digest);
    for (std::size_t i = 0; i < one.requests.size(); ++i) {
      ASSERT_EQ(one.requests[i].fate, Fate::kCompleted);
      ASSERT_EQ(one.requests[i].finished, other.requests[i].finished);
    }
  }
}

TEST(Router, ARunThatIsCutLeavesRequestsUnfinished) {
  Fleet fleet;
  fleet.add(0, 20, 1);
  fleet.add(50, 500, 2);
  fleet.options.end = Instant(from_seconds(0.2).count());
  const FleetResult result = fleet.run();
  EXPECT_EQ(result.requests[0].fate, Fate::kCompleted);
  EXPECT_EQ(result.requests[1].fate, Fate::kUnfinished);
  EXPECT_TRUE(result.requests[1].admitted.has_value());
}

TEST(Router, ContradictionsAreErrors) {
  Fleet fleet;
  fleet.add(0, 1, 1);
  fleet.spec.replicas = 0;
  EXPECT_THROW(fleet.run(), ModelError);
  fleet.spec.replicas = 1;
  fleet.spec.router.latency = {};
  EXPECT_THROW(fleet.run(), ModelError);
}

}  // namespace
}  // namespace septet::fleet
