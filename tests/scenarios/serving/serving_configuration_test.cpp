#include "scenarios/serving/serving_configuration.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

TEST(ServingConfiguration, AScenarioIsLaidOverItsEngine) {
  const ServingConfiguration configuration =
      configuration_of(scenario_text("[engine]\nmax_num_seqs = 7\n"), {"engine.block_size=32"});
  EXPECT_EQ(configuration.text.engine.max_num_seqs, 7U);
  EXPECT_EQ(configuration.text.engine.block_size, 32U);
  EXPECT_EQ(configuration.text.engine.step_time, from_us(1000));
}

TEST(ServingConfiguration, ReadsBackFromItsOwnText) {
  const ServingConfiguration before = configuration_of(scenario_text("replicas = 3\n"));
  const std::string text = resolved_toml(before);
  EXPECT_NE(text.find("vLLM source, engine/arg_utils.py"), std::string::npos);
  const ServingConfiguration after = configuration_of(text);
  EXPECT_TRUE(same_values(*after.resolved->find("engine"), *before.resolved->find("engine")));
  EXPECT_EQ(after.text.serving.replicas, 3U);
  EXPECT_EQ(after.text.engine.max_num_seqs, before.text.engine.max_num_seqs);
}

TEST(ServingConfiguration, AWhatIfMayChooseAnotherEngineAndGpu) {
  const ServingConfiguration base = configuration_of(scenario_text());
  const config::ConfigValue set = config::read_toml(
      "\"serving.engine\" = \"sglang\"\n\"hardware.gpu\" = \"h200-sxm\"\n", "w.toml");
  const ServingConfiguration varied = vary(base, set, shipped_libraries());
  EXPECT_EQ(varied.text.engine.block_size, 1U);
  EXPECT_EQ(varied.hardware.gpu.name, "h200-sxm");
}

TEST(ServingConfiguration, MistakesNameTheirPlace) {
  EXPECT_EQ(mistake_of(scenario_text("replica = 2\n")).substr(0, 53),
            "s.toml:11:1: serving.replica: got an unknown key, wan");
  EXPECT_EQ(mistake_of(scenario_text(), {"hardware.gpus=4"}),
            "--set: hardware.gpus: got a number together with [serving], wanted "
            "serving.tensor_parallel_size and the like, and serving.replicas");
}

TEST(ServingConfiguration, FieldReferenceIsThatOfTheTables) {
  const std::filesystem::path file = kSource / "scenarios" / "serving" / "FORMAT.md";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string head = text.str().substr(0, text.str().find("### The file"));
  if (std::getenv("SEPTET_UPDATE_REFERENCE") != nullptr) {
    std::ofstream(file) << head << serving_reference();
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text.str(), head + serving_reference())
      << "run this test with SEPTET_UPDATE_REFERENCE=1";
}

}  // namespace
}  // namespace septet::serving
