#include <gtest/gtest.h>

#include "tests/models/fleet/testing.hpp"

namespace septet::fleet {
namespace {

Fleet scaled() {
  Fleet fleet;
  fleet.spec.router.routing = Routing::kLeastLoaded;
  fleet.spec.autoscaling = {1, 3, 2, from_seconds(1), from_seconds(5), {}};
  return fleet;
}

TEST(Autoscaler, StartsReplicasForWhatIsUnderWay) {
  Fleet fleet = scaled();
  for (int i = 0; i < 4; ++i) fleet.add(0, 10, 1000);  // 14 ms a token: 14 s
  fleet.add(5900, 10, 1);
  fleet.add(6100, 10, 1);
  const FleetResult result = fleet.run();
  // At 1 s, 4 under way need 2 replicas; the second one is there at 6 s.
  EXPECT_EQ(result.requests[4].replica, 0U);
  EXPECT_EQ(result.requests[5].replica, 1U);
  EXPECT_EQ(result.replicas[2].steps, 0U);
}

TEST(Autoscaler, PaysFromTheStartUntilTheLastAnswer) {
  Fleet fleet = scaled();
  for (int i = 0; i < 4; ++i) fleet.add(0, 10, 1000);
  const FleetResult result = fleet.run();
  const double end = to_seconds(Duration(result.engine.last.count()));
  EXPECT_NEAR(to_seconds(result.replicas[0].provided), end, 1e-9);
  // From 1 s until the first check without requests.
  EXPECT_NEAR(to_seconds(result.replicas[1].provided), end - 1, 1);
  EXPECT_EQ(result.replicas[2].provided, Duration());
}

TEST(Autoscaler, WaitsBeforeItGivesUpAReplica) {
  Fleet fleet = scaled();
  for (int i = 0; i < 4; ++i) fleet.add(0, 10, 100);  // 1.5 s
  fleet.add(30'000, 10, 1);
  const Duration at_once = fleet.run().replicas[1].provided;
  fleet.spec.autoscaling->scale_down_delay = from_seconds(10);
  EXPECT_EQ(fleet.run().replicas[1].provided - at_once, from_seconds(10));
}

}  // namespace
}  // namespace septet::fleet
