#include "models/workload/transformer/transformer_step.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/models/gpu/operators/operator_gpu.hpp"

namespace septet::testing {
namespace {

transformer::TransformerStep decode() {
  transformer::TransformerStep step;
  step.shape = {4, 512, 1024, 8, 4, 64, 2048};
  step.batch = 2;
  step.keys = 128;
  step.rotary = false;
  step.ends = false;
  return step;
}

using Names = std::vector<std::string>;

Names names_of(const std::vector<transformer::StepOperator>& operators) {
  Names out;
  for (const transformer::StepOperator& each : operators) out.push_back(each.name);
  return out;
}

TEST(TransformerStep, RunsTheKernelsOfALayerInTheirOrder) {
  EXPECT_EQ(names_of(layer_operators(operator_gpu(), decode())),
            (Names{"rmsnorm", "qkv product", "cache keys", "cache values", "attention",
                   "output product", "residual sum", "rmsnorm", "gate and up product", "silu",
                   "gating", "down product", "residual sum"}));
}

TEST(TransformerStep, AddsRotaryEmbeddingCastsAndWhatSurroundsTheLayers) {
  transformer::TransformerStep step = decode();
  const auto plain = layer_operators(operator_gpu(), step).size();
  step.rotary = true;
  EXPECT_EQ(layer_operators(operator_gpu(), step).size(), plain + 10);  // five kernels, twice
  step.type = program::DataType::kFp8;
  EXPECT_EQ(layer_operators(operator_gpu(), step).size(), plain + 14);  // four products
  EXPECT_EQ(names_of(outer_operators(operator_gpu(), step)), Names{"head product"});
  step.ends = true;
  EXPECT_EQ(names_of(outer_operators(operator_gpu(), step)),
            (Names{"embedding", "rmsnorm", "head product", "argmax"}));
}

TEST(TransformerStep, AddsUpPartialResultsOnlyWhereRanksShareALayer) {
  const auto reduced = [](const transformer::TransformerStep& step) {
    const auto operators = layer_operators(operator_gpu(), step);
    return std::count_if(operators.begin(), operators.end(),
                         [](const transformer::StepOperator& each) { return each.then.any(); });
  };
  transformer::TransformerStep step = decode();
  EXPECT_EQ(reduced(step), 0);
  step.tensor_parallel = 2;
  EXPECT_EQ(reduced(step), 2);
  for (const transformer::StepOperator& each : layer_operators(operator_gpu(), step)) {
    if (!each.then.any()) continue;
    EXPECT_EQ(each.then.bytes, Bytes(2 * 512 * 2));  // rows x hidden x 2 bytes
  }
}

// Prefill goes on with the last position alone.
TEST(TransformerStep, RunsTheHeadOfPrefillOnItsLastPosition) {
  transformer::TransformerStep step = decode();
  step.batch = 1;
  step.queries = step.keys = 128;
  const gpu::OperatorTime prefill = outer_operators(operator_gpu(), step).front().at(1000_MHz);
  step.queries = 1;
  EXPECT_EQ(prefill.time, outer_operators(operator_gpu(), step).front().at(1000_MHz).time);
}

}  // namespace
}  // namespace septet::testing
