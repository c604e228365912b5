#include "models/workload/llm/memory_budget.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/workload/llm/small_model.hpp"

namespace septet::testing {
namespace {

constexpr double kAttention = 512 * 64 * (8 + 2 * 4 + 8);
constexpr double kDense = 3 * 512 * 1024;
constexpr double kEmbedding = 2048 * 512;

TEST(MemoryBudget, HoldsEveryWeightInTwoBytes) {
  EXPECT_EQ(weight_bytes(small_deployment()).count(),
            2 * (4 * (kAttention + kDense) + 2 * kEmbedding));
}

TEST(MemoryBudget, KeepsEmbeddingAndHeadInTwoBytesWhereWeightsTakeOne) {
  llm::Deployment deployment = small_deployment();
  deployment.model.weights = transformer::NumberFormat::kFp8;
  EXPECT_EQ(weight_bytes(deployment).count(), 4 * (kAttention + kDense) + 2 * 2 * kEmbedding);
}

// Eight ranks, four heads of keys and values: each rank has a copy of one.
TEST(MemoryBudget, CopiesHeadsOfKeysAndValuesWhereThereAreMoreRanks) {
  llm::Deployment deployment = small_deployment();
  deployment.layout.tensor = 8;
  const double attention = 512 * 64 * (1 + 2 * 1 + 1);
  EXPECT_EQ(weight_bytes(deployment).count(),
            2 * (4 * (attention + kDense / 8) + 2 * kEmbedding / 8));
  EXPECT_EQ(kv_bytes_per_token(deployment), 4 * 2 * 1 * 64 * 2);
}

TEST(MemoryBudget, GivesTheFullestStageOfAPipeline) {
  llm::Deployment deployment = small_deployment();
  deployment.layout.pipeline = 3;  // 2, 1 and 1 layers
  EXPECT_EQ(weight_bytes(deployment).count(), 2 * (2 * (kAttention + kDense) + kEmbedding));
  EXPECT_EQ(kv_bytes_per_token(deployment), 2 * 2 * 4 * 64 * 2);
}

TEST(MemoryBudget, SplitsOrSpreadsExpertsOverTheSameBytes) {
  llm::Deployment deployment = small_deployment();
  deployment.model.experts = {.num_experts = 8, .moe_router_topk = 2, .moe_ffn_hidden_size = 256};
  deployment.layout.tensor = 4;
  const Bytes split = weight_bytes(deployment);
  deployment.layout.expert = true;
  EXPECT_EQ(weight_bytes(deployment), split);
}

// As the published shapes have it: 61 layers of 576 numbers.
TEST(MemoryBudget, CachesOneCompressedVectorOnEveryRank) {
  llm::Deployment deployment = small_deployment();
  deployment.model.num_layers = 61;
  deployment.model.latent = {1536, 512, 128, 64, 128};
  EXPECT_EQ(kv_bytes_per_token(deployment), 61 * 576 * 2);
  deployment.layout.tensor = 8;
  EXPECT_EQ(kv_bytes_per_token(deployment), 61 * 576 * 2);
}

TEST(MemoryBudget, KeepsNoMoreThanTheWindowOfLayersThatHaveOne) {
  llm::Deployment deployment = small_deployment();
  deployment.model.window_size = 128;
  deployment.model.windowed_layers = 2;
  const double layer = 2 * 4 * 64 * 2;
  EXPECT_EQ(kv_bytes_per_token(deployment, 1024), layer * (2 + 2 * 128.0 / 1024));
  EXPECT_EQ(kv_bytes_per_token(deployment, 100), layer * 4);
}

// 1 GiB, of which each engine's fraction means something else.
TEST(MemoryBudget, FollowsTheEnginesOwnFraction) {
  const llm::Deployment deployment = small_deployment();
  llm::MemorySettings settings{
      .fraction = 0.5, .max_tokens = 1024, .max_sequences = 8, .graphs = 64_MiB, .other = 32_MiB};
  const Bytes gpu = 1024_MiB;
  const Bytes weights = weight_bytes(deployment);
  const Bytes rest = activation_bytes(deployment, settings) + 96_MiB;
  EXPECT_EQ(memory_budget(deployment, settings, gpu).kv, 512_MiB - weights - rest);
  settings.of = llm::FractionOf::kStatic;
  EXPECT_EQ(memory_budget(deployment, settings, gpu).kv, 512_MiB - weights);
  settings.of = llm::FractionOf::kFree;
  const Bytes free = gpu - weights - rest;
  EXPECT_NEAR(static_cast<double>(memory_budget(deployment, settings, gpu).kv.count()),
              static_cast<double>(free.count()) / 2, 1);
}

TEST(MemoryBudget, CountsWholeBlocks) {
  const llm::Deployment deployment = small_deployment();
  const llm::MemoryBudget budget = memory_budget(deployment, {.block_tokens = 16}, 2048_MiB);
  EXPECT_EQ(budget.block.count(), 16 * 4 * 2 * 4 * 64 * 2);
  EXPECT_EQ(budget.kv_blocks, budget.kv.count() / budget.block.count());
  EXPECT_EQ(budget.kv_tokens, 16 * budget.kv_blocks);
}

TEST(MemoryBudget, RefusesWhatDoesNotFitWithTheSum) {
  try {
    memory_budget(small_deployment(), {}, 32_MiB);
    FAIL() << "fits";
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("small does not fit: weights 0.0 GiB + activations"), std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace septet::testing
