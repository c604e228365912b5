#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/workload/llm/step_model.hpp"
#include "tests/models/gpu/operators/operator_gpu.hpp"
#include "tests/models/workload/llm/small_model.hpp"

namespace septet::testing {
namespace {

using Names = std::vector<std::string>;
using transformer::StepPart;

const llm::StepShape kDecode{4, 4, {{4, 1, 128, false}}};

Names names_of(const StepPart& part) {
  Names out;
  for (const transformer::StepOperator& each : part.operators) out.push_back(each.name);
  return out;
}

std::vector<StepPart> parts_of(const llm::Deployment& deployment,
                               const llm::StepShape& shape = kDecode, std::uint32_t stage = 0) {
  static const gpu::GpuSpec gpu = operator_gpu();
  return llm::StepModel(gpu, deployment).parts(shape, stage);
}

std::size_t exchanges_of(const StepPart& part) {
  std::size_t out = 0;
  for (const transformer::StepOperator& each : part.operators) out += each.then.any() ? 1 : 0;
  return out;
}

TEST(EngineStep, FusesWhatLiesBetweenProducts) {
  const auto parts = parts_of(small_deployment());
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].times, 4U);
  EXPECT_EQ(names_of(parts[0]), Names{"embedding"});
  EXPECT_EQ(names_of(parts[1]),
            (Names{"rmsnorm", "qkv product", "rotary", "cache write", "attention", "output product",
                   "rmsnorm", "gate and up product", "activation", "down product"}));
  EXPECT_EQ(names_of(parts[2]), (Names{"rmsnorm", "head product", "logits", "argmax"}));
}

TEST(EngineStep, AttendsToDecodesAndChunksInAKernelEach) {
  const llm::StepShape mixed{36, 5, {{4, 1, 128, false}, {1, 32, 32, true}}};
  const Names names = names_of(parts_of(small_deployment(), mixed)[1]);
  EXPECT_EQ(std::count(names.begin(), names.end(), "attention"), 2);
}

TEST(EngineStep, AddsUpPartialResultsTwiceALayer) {
  llm::Deployment deployment = small_deployment();
  EXPECT_EQ(exchanges_of(parts_of(deployment)[1]), 0U);
  deployment.layout.tensor = 2;
  const auto parts = parts_of(deployment);
  EXPECT_EQ(exchanges_of(parts[1]), 2U);
  EXPECT_EQ(parts[1].operators.back().then.bytes, Bytes(4 * 512 * 2));
}

TEST(EngineStep, GivesEveryStageItsLayers) {
  llm::Deployment deployment = small_deployment();
  deployment.layout.pipeline = 3;
  const auto first = parts_of(deployment, kDecode, 0);
  const auto middle = parts_of(deployment, kDecode, 1);
  const auto last = parts_of(deployment, kDecode, 2);
  ASSERT_EQ(first.size(), 2U);
  ASSERT_EQ(middle.size(), 1U);
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(first[1].times + middle[0].times + last[0].times, 4U);
}

TEST(EngineStep, RunsExpertsInTheLayersThatHaveThem) {
  llm::Deployment deployment = small_deployment();
  deployment.model.experts = {
      .num_experts = 8, .moe_router_topk = 2, .moe_ffn_hidden_size = 256, .dense_layers = 1};
  const auto parts = parts_of(deployment);
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[1].times, 1U);
  EXPECT_EQ(parts[2].times, 3U);
  const Names names = names_of(parts[2]);
  EXPECT_EQ(std::count(names.begin(), names.end(), "router product"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "experts down"), 1);
}

// A window of 64 of 4,096 positions is read in less time than all of them.
TEST(EngineStep, ReadsNoMoreThanTheWindow) {
  llm::Deployment deployment = small_deployment();
  deployment.model.window_size = 64;
  deployment.model.windowed_layers = 2;
  const llm::StepShape shape{64, 64, {{64, 1, 4096, false}}};
  const auto parts = parts_of(deployment, shape);
  ASSERT_EQ(parts.size(), 4U);
  const auto attention = [](const StepPart& part) {
    const auto found =
        std::ranges::find(part.operators, "attention", &transformer::StepOperator::name);
    return found->at(1000_MHz).time;
  };
  EXPECT_LT(3 * attention(parts[1]), attention(parts[2]));
}

// Half of the bytes, or less, of products that are bound by them.
TEST(EngineStep, ReadsWeightsInTheirOwnFormat) {
  const auto down = [](transformer::NumberFormat format) {
    llm::Deployment deployment = small_deployment();
    deployment.model.hidden_size = 8192;
    deployment.model.ffn_hidden_size = 65536;
    deployment.model.weights = format;
    return parts_of(deployment)[1].operators.back().at(1000_MHz).time;
  };
  const Duration two = down(transformer::NumberFormat::kBf16);
  EXPECT_NEAR(ratio(down(transformer::NumberFormat::kMxfp4), two), 0.53125 / 2, 0.03);
}

TEST(EngineStep, HasPlainKernelsForPlainModelsAlone) {
  llm::Deployment deployment = small_deployment();
  deployment.style = llm::Style::kPyTorch;
  EXPECT_EQ(parts_of(deployment).size(), 2U);
  deployment.model.experts = {.num_experts = 8, .moe_router_topk = 2, .moe_ffn_hidden_size = 256};
  EXPECT_THROW(parts_of(deployment), ModelError);
}

TEST(EngineStep, RefusesLayoutsThatDoNotDivideTheModel) {
  llm::Deployment deployment = small_deployment();
  deployment.layout.tensor = 3;
  EXPECT_THROW(parts_of(deployment), ConfigError);
  deployment.layout = {.pipeline = 5};
  EXPECT_THROW(parts_of(deployment), ConfigError);
}

}  // namespace
}  // namespace septet::testing
