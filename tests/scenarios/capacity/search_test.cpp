#include "scenarios/capacity/search.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::capacity {
namespace {

const serving::Libraries& libraries() {
  static const serving::Libraries all({std::filesystem::path(SEPTET_SOURCE_DIRECTORY) / "data"});
  return all;
}

// A small model, so that steps are simulated quickly.
CapacityResult search(const std::string& more, double rate = 200) {
  const std::string text =
      "[arrivals]\nrequests = 60\ninput = { tokens = 200 }\noutput = { tokens = 8 }\nrate = " +
      std::to_string(rate) +
      "\n[hardware]\ngpu = \"h100-sxm\"\n[serving]\nmodel = \"llama-3.2-1b\"\nengine = "
      "\"vllm-v1\"\n[router]\nrouting = \"least-loaded\"\n" +
      more;
  return search_capacity(
      serving::resolve_serving(config::read_toml(text, "s.toml"), {}, libraries()), libraries(), 1);
}

TEST(CapacitySearch, FindsTheSmallestFleetThatHolds) {
  const CapacityResult result =
      search("[slo]\ne2e_p99 = \"60 ms\"\n[search]\nmax_gpus = 16\nseeds = 2\n");
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(result.best->seeds, 2U);
  for (const Candidate& candidate : result.candidates) {
    EXPECT_EQ(candidate.holds, candidate.replicas >= result.best->replicas) << candidate.replicas;
  }
  EXPECT_GE(result.sureness.headroom, 1);
  const auto slower = result.sureness.gpus_if_slower;
  const auto faster = result.sureness.gpus_if_faster;
  EXPECT_GE(slower.value_or(99), result.best->gpus);
  EXPECT_LE(faster.value_or(99), result.best->gpus);
  // Longer steps, prompts and answers never bring requests further from their limit.
  ASSERT_EQ(result.sensitivities.size(), kEnumSize<Assumed>);
  for (const Sensitivity& one : result.sensitivities) {
    EXPECT_EQ(one.low.factor, 1 - result.model_error);
    EXPECT_LE(one.low.worst_share, one.high.worst_share) << text_of(one.assumed);
  }
  ASSERT_TRUE(result.best_run.has_value());
  EXPECT_EQ(result.best_run->run.result.replicas.size(), result.best->replicas);
}

TEST(CapacitySearch, ARequestAloneRulesOutWhatReplicasCannotMend) {
  const CapacityResult result =
      search("[slo]\nttft_p50 = \"10 us\"\n[search]\nmax_gpus = 4\nseeds = 1\n");
  EXPECT_FALSE(result.best.has_value());
  EXPECT_TRUE(result.candidates.empty());
  EXPECT_EQ(result.options.at(0).removed_by, Bound::kRequestAlone);
  EXPECT_EQ(result.limits.at(0).kind, LimitKind::kRequestAlone);
}

TEST(CapacitySearch, MemoryAndLayoutRuleOutOptionsUnseen) {
  const CapacityResult result = search(
      "[slo]\ne2e_p99 = \"10 s\"\n[search]\nmax_gpus = 2\nseeds = 1\n"
      "tensor_parallel_size = [1, 3, 4]\n");
  EXPECT_EQ(result.options.at(1).removed_by, Bound::kLayout);
  EXPECT_EQ(result.options.at(2).removed_by, Bound::kMaxGpus);
  EXPECT_EQ(result.best.value().gpus, 1U);
}

TEST(CapacitySearch, NeedsObjectives) {
  try {
    search("[search]\nmax_gpus = 2\n");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()),
              "s.toml:1:1: slo: got no objectives, wanted a table [slo] with at least one");
  }
}

}  // namespace
}  // namespace septet::capacity
