#include "models/fleet/fleet_metrics.hpp"

#include <gtest/gtest.h>

#include "core/base/statistics.hpp"
#include "models/workload/requests/synthetic_workload.hpp"
#include "tests/models/fleet/testing.hpp"

namespace septet::fleet {
namespace {

TEST(FleetMetrics, PercentilesAreThoseOfAllValues) {
  std::vector<TokenGap> counted{{Duration(30), 2}, {Duration(10), 3}, {Duration(20), 1}};
  const std::vector<double> all{10, 10, 10, 20, 30, 30};
  const Distribution distribution(counted);
  for (const double percent : {0.0, 50.0, 70.0, 90.0, 100.0}) {
    EXPECT_NEAR(static_cast<double>(distribution.at(percent).count()), percentile(all, percent),
                0.5);
  }
  EXPECT_EQ(distribution.count(), 6);
  EXPECT_EQ(distribution.mean(), Duration(18));  // 110 / 6
}

TEST(FleetMetrics, LatenciesCountFromSending) {
  Fleet fleet;
  fleet.add(5, 20, 3);
  const FleetResult result = fleet.run();
  const FleetMetrics metrics = metrics_of(fleet.workload, result);
  EXPECT_EQ(ms(metrics.of(Latency::kTtft).at(50)), 30.1);
  EXPECT_EQ(ms(metrics.of(Latency::kTpot).at(50)), 11);
  EXPECT_EQ(ms(metrics.of(Latency::kItl).mean()), 11);
  EXPECT_EQ(ms(metrics.of(Latency::kE2e).at(50)), 52.1);
  EXPECT_EQ(ms(metrics.of(Latency::kQueue).at(50)), 0.1);
  EXPECT_EQ(metrics.completed, (LoadTotals{1, 20, 3}));
  EXPECT_EQ(metrics.span, from_us(52'100));
}

TEST(FleetMetrics, OfferedAdmittedAndCompletedAreApart) {
  Fleet fleet;
  fleet.engine.scheduler.max_model_len = 600;
  fleet.add(0, 20, 1);
  fleet.add(0, 600, 1);   // refused
  fleet.add(50, 500, 9);  // under way at the end
  fleet.options.end = Instant(from_seconds(0.2).count());
  const FleetMetrics metrics = metrics_of(fleet.workload, fleet.run());
  EXPECT_EQ(metrics.offered.requests, 3);
  EXPECT_EQ(metrics.admitted.requests, 2);
  EXPECT_EQ(metrics.completed.requests, 1);
  EXPECT_EQ(metrics.refused, 1);
  EXPECT_EQ(metrics.unfinished, 1);
}

// A step of one prompt takes 60 ms: 16.7 a second; batches of prompts up to 50 a second.
TEST(FleetMetrics, AGrowingQueueIsOverload) {
  requests::SyntheticWorkload synthetic;
  synthetic.requests = 400;
  synthetic.input = {requests::LengthKind::kFixed, 50};
  for (const double rate : {5.0, 50.0}) {
    synthetic.arrivals.rate = rate;
    Fleet fleet;
    fleet.workload = requests::synthetic_workload(synthetic, 1);
    const FleetMetrics metrics = metrics_of(fleet.workload, fleet.run());
    EXPECT_EQ(metrics.overloaded, rate > 20) << rate;
  }
}

}  // namespace
}  // namespace septet::fleet
