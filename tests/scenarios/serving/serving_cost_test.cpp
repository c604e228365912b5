#include "scenarios/serving/serving_cost.hpp"

#include <gtest/gtest.h>

namespace septet::serving {
namespace {

// Two replicas of two GPUs for half an hour each, of a run of an hour.
fleet::FleetResult result() {
  fleet::FleetResult out;
  out.replicas.resize(2);
  for (fleet::ReplicaTotals& replica : out.replicas) {
    replica.provided = from_seconds(1800);
    replica.energy = Energy(90'000);
  }
  out.engine.last = Instant(from_seconds(3600).count());
  return out;
}

fleet::FleetMetrics metrics() {
  fleet::FleetMetrics out;
  out.completed = {10, 3'000'000, 1'000'000};
  return out;
}

TEST(ServingCost, IsWhatGpusCostWhileTheyAreThere) {
  const ServingCost cost = cost_of({.gpus_of_replica = 2, .price = GpuPrice{"", 3, "", ""}},
                                   nullptr, result(), metrics());
  EXPECT_DOUBLE_EQ(cost.gpu_hours, 2);
  EXPECT_DOUBLE_EQ(*cost.price, 6);
  EXPECT_DOUBLE_EQ(*cost.per_hour, 6);
  EXPECT_DOUBLE_EQ(*cost.per_million_output_tokens, 6);
  EXPECT_DOUBLE_EQ(*cost.per_million_tokens, 1.5);
}

TEST(ServingCost, StepsAddToTheEnergyOfWaiting) {
  const ServingCost cost =
      cost_of({.gpus_of_replica = 2, .waiting = Power(100)}, nullptr, result(), metrics());
  // 4 GPUs, half an hour at 100 W, and twice 90 kJ.
  EXPECT_DOUBLE_EQ(cost.energy.count(), 4 * 1800 * 100 + 180'000.0);
  EXPECT_DOUBLE_EQ(cost.power.count(), 250);
  EXPECT_DOUBLE_EQ(*cost.joules_per_output_token, 0.9);
  EXPECT_FALSE(cost.price.has_value());
}

TEST(ServingCost, CountsReplicasOfPromptsWithTheirOwnGpus) {
  fleet::FleetResult apart = result();
  apart.replicas[1].prefill = true;
  const GpuCost prefill{.gpus_of_replica = 4, .price = GpuPrice{"", 1, "", ""}};
  const ServingCost cost =
      cost_of({.gpus_of_replica = 2, .price = GpuPrice{"", 3, "", ""}}, &prefill, apart, metrics());
  EXPECT_DOUBLE_EQ(cost.gpu_hours, 3);  // half an hour of 2 and of 4
  EXPECT_DOUBLE_EQ(*cost.price, 3 + 2);
}

TEST(ServingCost, OfARunWithoutAnAnswerIsUnknownByToken) {
  const ServingCost cost = cost_of({.price = GpuPrice{"", 3, "", ""}}, nullptr, result(), {});
  EXPECT_FALSE(cost.per_million_output_tokens.has_value());
  EXPECT_FALSE(cost.joules_per_output_token.has_value());
}

}  // namespace
}  // namespace septet::serving
