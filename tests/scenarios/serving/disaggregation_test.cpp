#include <gtest/gtest.h>

#include "scenarios/serving/kv_transfer_time.hpp"
#include "scenarios/serving/serving_run.hpp"
#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

std::string apart(const std::string& more = "") {
  return scenario_text("[disaggregation]\nhand_over = \"20 ms\"\n" + more);
}

TEST(Disaggregation, MovesTheCacheOfThePromptAtTheRateThatIsGiven) {
  const ServingCase serving =
      case_of_text(apart("bandwidth = \"10 GB/s\"\nlatency = \"1 ms\"\nblock_time = \"10 us\"\n"));
  // 128 KiB a token in bf16; 1,000 tokens are 63 blocks of 16.
  const double bytes = 1000.0 * 128 * 1024;
  EXPECT_NEAR(to_seconds(serving.transfer->time(1000)), 1e-3 + bytes / 10e9 + 63 * 10e-6, 1e-9);
}

TEST(Disaggregation, HalvesThePartsWithTensorParallelDecoders) {
  const std::string more = "bandwidth = \"10 GB/s\"\n";
  const auto time = [&](const std::vector<std::string>& settings) {
    return to_seconds(case_of_text(apart(more), settings).transfer->time(1000));
  };
  const double alone = time({});
  // Each of two GPUs fetches half of the heads ..
  EXPECT_NEAR(time({"serving.tensor_parallel_size=2"}), alone / 2, 1e-9);
  // .. which one GPU sends both of.
  EXPECT_NEAR(time({"serving.tensor_parallel_size=2",
                    "disaggregation.prefill={\"serving.tensor_parallel_size\" = 1}"}),
              alone, 1e-9);
}

TEST(Disaggregation, TakesTheNicBetweenNodesAndNvlinkWithinOne) {
  const double bytes = 4000.0 * 128 * 1024;
  const double nodes = to_seconds(case_of_text(apart()).transfer->time(4000));
  EXPECT_GT(nodes, bytes / 50e9);  // 400 Gb/s
  EXPECT_LT(nodes, 1.3 * bytes / 50e9);
  const double node = to_seconds(case_of_text(apart("same_node = true\n")).transfer->time(4000));
  EXPECT_LT(node, nodes / 3);
}

TEST(Disaggregation, RunsPromptsOnReplicasOfTheirOwn) {
  const ScenarioRun done = run_scenario(configuration_of(apart()), shipped_libraries(), 1);
  ASSERT_EQ(done.run.result.replicas.size(), 2U);
  EXPECT_EQ(done.run.metrics.completed.requests, 20);
  EXPECT_EQ(done.run.result.replicas[1].prompt_tokens, 2000);
  EXPECT_GT(done.run.metrics.hand_over.mean(), from_us(20'000));
  EXPECT_EQ(done.of.gpus_of_fleet(3), 4U);
}

TEST(Disaggregation, NothingIsApartWithoutPrefillReplicas) {
  const ServingCase serving = case_of_text(apart("prefill_replicas = 0\n"));
  EXPECT_FALSE(serving.fleet.disaggregation.has_value());
  EXPECT_EQ(serving.prefill, nullptr);
}

TEST(Disaggregation, PrefillReplicasServeTheSameModel) {
  EXPECT_NE(mistake_of(apart("prefill = { \"serving.model\" = \"llama-3.2-1b\" }\n"))
                .find("disaggregation.prefill: got another model"),
            std::string::npos);
  EXPECT_NE(mistake_of(scenario_text("[disaggregation]\n")).find("hand_over"), std::string::npos);
}

}  // namespace
}  // namespace septet::serving
