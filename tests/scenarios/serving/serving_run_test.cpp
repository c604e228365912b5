#include "scenarios/serving/serving_run.hpp"

#include <gtest/gtest.h>

#include "scenarios/serving/serving_workload.hpp"
#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

// 1 ms for each token.
class TokenCost : public StepCost {
 public:
  Duration time(std::span<const Batch> ranks) const override {
    return from_us(1000) * new_tokens(ranks.front());
  }
};

ServingRun run_of(const std::string& more) {
  const ServingConfiguration configuration = configuration_of(scenario_text(more));
  const ServingCase serving = case_of(configuration, shipped_libraries());
  const EngineCosts costs{std::make_shared<TokenCost>(), {}};
  const requests::Workload workload = workload_of(configuration.text.arrivals, 1);
  return run_serving({serving.fleet, serving.engine, costs, workload}, configuration.text.slo);
}

TEST(ServingRun, ObjectivesAreCompared) {
  const ServingRun run = run_of("[slo]\nttft_p99 = \"10 s\"\nttft_p50 = \"1 us\"\n");
  ASSERT_EQ(run.objectives.size(), 2U);
  for (const ObjectiveResult& one : run.objectives) EXPECT_EQ(one.met, one.key == "ttft_p99");
  EXPECT_EQ(run.good, 0);
  EXPECT_FALSE(run.holds());
}

TEST(ServingRun, ThroughputAndGoodputAreLeast) {
  const ServingRun run = run_of(
      "[slo]\nttft_p99 = \"10 s\"\ngoodput_share = 1\n"
      "output_tokens_per_s = 1e6\n");
  EXPECT_EQ(run.good, 20);
  for (const ObjectiveResult& one : run.objectives) {
    EXPECT_EQ(one.met, one.key != "output_tokens_per_s") << one.key;
  }
}

TEST(ServingRun, ARunThatEndsBeforeTheFirstRequestSaysSo) {
  const std::string text = scenario_text("[run]\nend = \"1 ps\"\n");
  const ScenarioRun done = run_scenario(configuration_of(text), shipped_libraries(), 1);
  EXPECT_EQ(done.run.metrics.offered.requests, 0);
  EXPECT_EQ(done.run.findings.at(0), "no request arrived before the run was stopped");
  EXPECT_FALSE(done.run.cost.per_million_output_tokens.has_value());
}

TEST(ServingRun, RefusedRequestsAreAFinding) {
  const ServingRun run = run_of("[engine]\nmax_model_len = 109\n");
  EXPECT_EQ(run.metrics.refused, 20);
  EXPECT_EQ(run.findings,
            std::vector<std::string>{"20 requests refused: longer than max_model_len"});
  EXPECT_FALSE(run.holds());
}

}  // namespace
}  // namespace septet::serving
