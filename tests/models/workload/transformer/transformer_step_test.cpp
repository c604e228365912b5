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
                         [](const transformer::StepOperator& each) { return each.all_reduce; });
  };
  transformer::TransformerStep step = decode();
  EXPECT_EQ(reduced(step), 0);
  step.tensor_parallel = 2;
  EXPECT_EQ(reduced(step), 2);
  EXPECT_EQ(all_reduce_bytes(step), Bytes(2 * 512 * 2));  // rows x hidden x 2 bytes
}

// Four layers of two all-reduces.
TEST(TransformerStep, WaitsForEveryAllReduce) {
  transformer::TransformerStep step = decode();
  step.tensor_parallel = 2;
  const gpu::GpuSpec gpu = operator_gpu();
  EXPECT_EQ(step_time(gpu, step, 10_us, 1).time, step_time(gpu, step, {}, 1).time + 8 * 10_us);
}

TEST(TransformerStep, TakesAsLongAsItsOperatorsAndTheGapsBetweenThem) {
  gpu::GpuSpec gpu = operator_gpu();
  gpu.operators.call.node_gap = 1_us;
  const transformer::TransformerStep step = decode();
  Duration layer{};
  for (const transformer::StepOperator& each : layer_operators(gpu, step)) {
    layer += each.at(gpu.clock).time + 1_us;
  }
  const Duration head = outer_operators(gpu, step).front().at(gpu.clock).time + 1_us;
  EXPECT_EQ(step_time(gpu, step, {}, 1).time, 4 * layer + head);
}

// Each rank holds half of the weights, which decode reads once.
TEST(TransformerStep, HalvesTheWeightsOfARank) {
  const gpu::GpuSpec gpu = operator_gpu();
  transformer::TransformerStep step = decode();
  step.shape = {4, 4096, 16384, 32, 32, 128, 2048};
  const Duration whole = step_time(gpu, step, {}, 1).time;
  step.tensor_parallel = 2;
  EXPECT_NEAR(ratio(step_time(gpu, step, {}, 1).time, whole), 0.5, 0.03);
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
