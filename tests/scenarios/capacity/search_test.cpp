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

// A small model, so that steps are simulated quickly. `serving`: more keys of [serving].
CapacityResult search(const std::string& more, const std::string& serving = "", double rate = 200,
                      const std::string& model = "llama-3.2-1b") {
  const std::string text =
      "[arrivals]\nrequests = 60\ninput = { tokens = 200 }\noutput = { tokens = 8 }\nrate = " +
      std::to_string(rate) + "\n[hardware]\ngpu = \"h100-sxm\"\n[serving]\nmodel = \"" + model +
      "\"\nengine = \"vllm-v1\"\n" + serving + "[router]\nrouting = \"least-loaded\"\n" + more;
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
    EXPECT_EQ(one.low.factor, 1 - result.model_error.relative);
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

constexpr const char* kNeedsSeveral = "[slo]\ne2e_p99 = \"40 ms\"\n";
constexpr double kBurst = 3000;  // requests a second

TEST(CapacitySearch, ABudgetRulesOutLargerFleetsUnseen) {
  const std::string rest = "[search]\nmax_gpus = 16\nseeds = 1\n";
  const CapacityResult free = search(kNeedsSeveral + rest, "", kBurst);
  ASSERT_TRUE(free.best.has_value());
  const std::uint32_t needed = free.best->gpus;
  ASSERT_GT(needed, 1U);
  const auto with_budget = [&](double budget) {
    return search(kNeedsSeveral + ("budget = " + std::to_string(budget)) + "\n" + rest,
                  "gpu_hour_price = 2\n", kBurst);
  };
  const CapacityResult enough = with_budget(2.0 * needed);
  EXPECT_EQ(enough.best.value().gpus, needed);
  EXPECT_DOUBLE_EQ(enough.best->cost_per_hour.value(), 2.0 * needed);
  EXPECT_EQ(candidates_allowed(enough), 16U);
  EXPECT_EQ(candidates_removed(enough, Bound::kBudget), 16U - needed);
  const CapacityResult little = with_budget(2.0 * needed - 1);
  EXPECT_FALSE(little.best.has_value());
  const Limit& limit = little.limits.back();
  EXPECT_EQ(limit.kind, LimitKind::kBudget);
  EXPECT_DOUBLE_EQ(limit.got, 2.0 * needed);
}

TEST(CapacitySearch, APowerLimitBelowThatOfWaitingGpusRulesOutAll) {
  const CapacityResult result =
      search("[slo]\ne2e_p99 = \"10 s\"\npower = \"10 W\"\n[search]\nmax_gpus = 4\nseeds = 1\n");
  EXPECT_EQ(result.options.at(0).removed_by, Bound::kPower);
  EXPECT_EQ(candidates_removed(result, Bound::kPower), 4U);
  EXPECT_EQ(result.limits.at(0).kind, LimitKind::kPower);
  EXPECT_EQ(result.limits.at(0).wanted, 10);
  EXPECT_EQ(result.limits.at(0).got, result.beyond.value().power.count());
}

TEST(CapacitySearch, CostChoosesTheCheaperGpuThoughItTakesMore) {
  const CapacityResult result = search(
      "[slo]\ne2e_p99 = \"10 s\"\n[search]\nmax_gpus = 8\nseeds = 1\nminimise = \"cost\"\n"
      "gpus = [\"h100-sxm\", \"a100-sxm-80gb\"]\n",
      "prices = \"lambda\"\n");
  const Candidate& best = result.best.value();
  for (const Candidate& one : result.candidates) {
    if (!one.holds) continue;
    EXPECT_GE(one.cost_per_hour.value(), best.cost_per_hour.value());
  }
  EXPECT_EQ(result.options[best.option].gpu, "a100-sxm-80gb");
}

TEST(CapacitySearch, TriesValuesOfOtherKeys) {
  const std::string rest =
      "[slo]\ne2e_p99 = \"10 s\"\n[search]\nmax_gpus = 1\nseeds = 1\n[search.try]\n";
  const CapacityResult result = search(rest + "\"engine.max_num_seqs\" = [1, 256]\n");
  ASSERT_EQ(result.options.size(), 2U);
  EXPECT_EQ(option_text(result.options[0]), "h100-sxm vllm-v1 tp 1 engine.max_num_seqs = 1");
  EXPECT_EQ(result.options[0].of->engine.scheduler.max_num_seqs, 1);
  EXPECT_THROW(search(rest + "\"slo.ttft_p99\" = [\"1 s\"]\n"), ConfigError);
  EXPECT_THROW(search(rest + "\"serving.replicas\" = [1]\n"), ConfigError);
}

TEST(CapacitySearch, ARequestThatAnIdleEngineRefusesRulesOutTheOption) {
  const CapacityResult result = search(
      "[slo]\ne2e_p99 = \"10 s\"\n[engine]\nmax_model_len = 207\n[search]\nmax_gpus = 3\nseeds = "
      "1\n");
  EXPECT_EQ(result.options.at(0).removed_by, Bound::kLongest);
  EXPECT_EQ(candidates_removed(result, Bound::kLongest), 3U);
  EXPECT_TRUE(result.candidates.empty());
}

TEST(CapacitySearch, AModelThatDoesNotFitComesWithTheNearestLayoutThatDoes) {
  const CapacityResult result =
      search("[slo]\ne2e_p99 = \"100 s\"\n[search]\nmax_gpus = 8\nseeds = 1\n",
             "weights = \"bf16\"\n", 1, "llama-3.1-70b");
  EXPECT_EQ(result.options.at(0).removed_by, Bound::kMemory);
  EXPECT_EQ(result.limits.at(0).kind, LimitKind::kMemory);
  // 141 GB of weights.
  EXPECT_EQ(result.limits.at(0).change, "serving.tensor_parallel_size = 2");
}

TEST(CapacitySearch, MoreTokensThanAreAskedForAreAMistake) {
  EXPECT_THROW(search("[slo]\noutput_tokens_per_s = 1e6\n[search]\nmax_gpus = 2\nseeds = 1\n"),
               ConfigError);
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
