#include "scenarios/serving/serving_case.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

TEST(ServingCase, BlocksAreWhatMemoryLeaves) {
  const ServingCase serving = case_of_text(scenario_text());
  EXPECT_EQ(serving.engine.scheduler.kv_blocks, serving.memory.kv_blocks);
  // 128 KiB a token in bf16, 16 tokens a block.
  EXPECT_EQ(serving.memory.block, Bytes(16 * 128 * 1024));
  EXPECT_EQ(serving.engine.swap.block, serving.memory.block);
}

TEST(ServingCase, CacheInEightBitsHasTwiceAsManyBlocks) {
  const std::int64_t wide = case_of_text(scenario_text()).memory.kv_blocks;
  const std::int64_t narrow = case_of_text(scenario_text(), {"serving.kv=fp8"}).memory.kv_blocks;
  EXPECT_NEAR(static_cast<double>(narrow), 2.0 * static_cast<double>(wide), 1);
}

TEST(ServingCase, AModelThatDoesNotFitIsRefusedWithTheSum) {
  const std::string message = mistake_of(scenario_text(), {"serving.model=llama-3.1-70b"});
  EXPECT_NE(message.find("weights"), std::string::npos) << message;
  EXPECT_THROW(case_of_text(scenario_text(), {"serving.model=llama-3.1-70b"}), DoesNotFit);
}

TEST(ServingCase, ALayoutThatDoesNotDivideTheModelIsRefused) {
  EXPECT_THROW(case_of_text(scenario_text(), {"serving.tensor_parallel_size=3"}), NotDivisible);
}

TEST(ServingCase, SpeculationNeedsAMeasuredAcceptance) {
  const std::string more = "[speculation]\ndraft_model = \"llama-3.2-1b\"\ndraft_steps = 2\n";
  EXPECT_EQ(mistake_of(scenario_text(more)),
            "s.toml:11:1: speculation: got nothing, wanted speculation.mean_accepted_length or "
            "speculation.accepted_share, measured");
  const ServingCase serving = case_of_text(scenario_text(more + "accepted_share = [0.8, 0.4]\n"));
  EXPECT_EQ(serving.engine.scheduler.speculation.acceptance, (std::vector{0.8, 0.5}));
  EXPECT_EQ(serving.draft->model.name, "llama-3.2-1b");
  EXPECT_NE(mistake_of(scenario_text(more + "accepted_share = [0.8]\n")).find("got 1 shares"),
            std::string::npos);
}

TEST(ServingCase, DraftLayersAreThoseOfTheModel) {
  const std::string more =
      "[speculation]\ndraft_layers = 1\ndraft_steps = 2\nmean_accepted_length = 2\n";
  const ServingCase serving = case_of_text(scenario_text(more));
  EXPECT_EQ(serving.draft->model.num_layers, 1U);
  EXPECT_EQ(serving.draft->model.hidden_size, serving.deployment.model.hidden_size);
}

TEST(ServingCase, AShareOfGoodRequestsNeedsALimitOfLatency) {
  EXPECT_EQ(mistake_of(scenario_text("[slo]\ngoodput_share = 0.9\n")),
            "s.toml:12:17: slo.goodput_share: got a share of requests without limits of latency, "
            "wanted at least one, such as slo.ttft_p99");
}

TEST(ServingCase, AFailureIsListedOrRandom) {
  EXPECT_NE(mistake_of(scenario_text("[[failure]]\nrepair = \"1 s\"\n")).find("mean_time_between"),
            std::string::npos);
  const ServingConfiguration configuration =
      configuration_of(scenario_text("[[failure]]\nreplica = 0\nat = \"2 s\"\nrepair = \"1 s\"\n"));
  const ServingCase serving = case_of(configuration, shipped_libraries());
  EXPECT_EQ(serving.fleet.failures,
            (std::vector<fleet::Failure>{{0, Instant(from_seconds(2).count()), from_seconds(1)}}));
}

}  // namespace
}  // namespace septet::serving
