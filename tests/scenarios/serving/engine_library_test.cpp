#include "scenarios/serving/engine_library.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

TEST(EngineLibrary, EveryShippedEngineCanBeRead) {
  std::vector<std::string> names;
  for (const EngineProfile& profile : shipped_libraries().engines.all()) {
    names.push_back(profile.name);
    EXPECT_FALSE(profile.description.empty());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"sglang", "tensorrt-llm", "vllm-v0", "vllm-v1",
                                             "vllm-v1-async"}));
}

TEST(EngineLibrary, ALargeGpuGetsLargerSteps) {
  const ServingCase large = case_of_text(scenario_text());
  EXPECT_EQ(large.engine.scheduler.max_num_batched_tokens, 8192);
  EXPECT_EQ(large.engine.scheduler.max_num_seqs, 1024);
}

TEST(EngineLibrary, TheA100With80GbIsAmongTheSmallOnes) {
  const ServingCase small = case_of_text(scenario_text(), {"hardware.gpu=a100-sxm-80gb"});
  EXPECT_EQ(small.engine.scheduler.max_num_batched_tokens, 2048);
  EXPECT_EQ(small.engine.scheduler.max_num_seqs, 256);
}

TEST(EngineLibrary, AReleaseIsDescribedByTheLatestProfileThatIsNotYounger) {
  const EngineLibrary& engines = shipped_libraries().engines;
  const auto profile = [&](const char* name) { return engines.find(name, {}).name; };
  EXPECT_EQ(profile("vllm 0.6.3"), "vllm-v0");
  EXPECT_EQ(profile("vllm 0.8"), "vllm-v1");
  EXPECT_EQ(profile("vllm 0.13.9"), "vllm-v1");
  EXPECT_EQ(profile("vllm 0.14"), "vllm-v1-async");
  EXPECT_EQ(profile("vllm 1.2rc1"), "vllm-v1-async");
  EXPECT_EQ(profile("vllm"), "vllm-v1-async");
  EXPECT_EQ(profile("sglang 0.5.6.post1"), "sglang");
  EXPECT_THROW(engines.find("vllm 0.4.9", {}), ConfigError);
  EXPECT_THROW(engines.find("vllm latest", {}), ConfigError);
}

TEST(EngineLibrary, AnUnknownEngineIsAMistakeWithNearMisses) {
  EXPECT_EQ(
      mistake_of(scenario_text(), {"serving.engine=vlm-v1"}),
      "--set: serving.engine: got \"vlm-v1\", wanted the name of an engine (sglang, "
      "tensorrt-llm, trt-llm, vllm, vllm-v0, vllm-v1, vllm-v1-async) or a .toml file (did you mean "
      "'vllm-v1'?)");
}

TEST(EngineLibrary, ANumberWithoutASourceCannotBeRead) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "own.toml";
  std::ofstream(file) << "max_num_seqs = 5\n";
  try {
    read_engine_profile(file);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("a number without a source"), std::string::npos);
  }
}

}  // namespace
}  // namespace septet::serving
