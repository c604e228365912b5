#include "models/workload/training/step_time.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/workload/training/testing.hpp"

namespace septet::test {
namespace {

using training::Part;

training::ExchangeModel no_network() {
  return [](training::Group, program::CollectiveOp, Bytes) { return training::ExchangeCost{}; };
}

// Every exchange of a group takes so long.
training::ExchangeModel only(training::Group which, Duration time) {
  return [=](training::Group group, program::CollectiveOp, Bytes) {
    return training::ExchangeCost{group == which ? time : Duration(0), 0};
  };
}

host::HostSpec fast_host() { return {}; }

Duration part(const training::StepTime& step, Part which) {
  return step.parts[static_cast<std::size_t>(which)];
}

training::StepTime step_of(const training::TrainingSpec& spec,
                           const training::ExchangeModel& exchange = no_network(),
                           const host::HostSpec& host = fast_host()) {
  return step_time(spec, h200().gpu, host, exchange);
}

// Layers of a stage as long as embedding and head are next to nothing.
training::TrainingSpec even_pipeline() {
  training::TrainingSpec spec = small_training();
  spec.model.num_layers = 16;
  spec.model.vocab_size = 16;
  spec.pipeline_parallel_size = 4;
  spec.num_microbatches = 8;
  return spec;
}

TEST(StepTime, ItsPartsAreTheWhole) {
  for (const std::uint32_t stages : {1U, 4U}) {
    training::TrainingSpec spec = small_training();
    spec.pipeline_parallel_size = stages;
    const training::StepTime step = step_of(spec, only(training::Group::kPipeline, 50_us));
    EXPECT_EQ(training::sum(step.parts), step.total) << stages;
    EXPECT_EQ(step.forward + step.backward + step.optimizer, step.total) << stages;
  }
}

// Without exchanges a stage waits (p - 1) / m of the time it computes, with v chunks a v-th of it
// (Narayanan et al., section 2.2).
TEST(StepTime, HasTheBubbleOfTheSchedule) {
  training::TrainingSpec spec = even_pipeline();
  for (const std::uint32_t chunks : {1U, 2U, 4U}) {
    spec.virtual_pipeline_size = chunks;
    const training::StepTime step = step_of(spec);
    const Duration waits = part(step, Part::kPipeline);
    const Duration computes = step.total - waits - step.optimizer;
    EXPECT_NEAR(to_seconds(waits) / to_seconds(computes), 3.0 / 8 / chunks, 0.02) << chunks;
  }
}

TEST(StepTime, GrowsWithMicrobatchesByTheTimeOfOne) {
  training::TrainingSpec spec = small_training();
  spec.num_microbatches = 1;
  const Duration one = step_of(spec).total;
  spec.num_microbatches = 2;
  const Duration two = step_of(spec).total;
  spec.num_microbatches = 5;
  EXPECT_NEAR(to_us(step_of(spec).total - two), 3 * to_us(two - one), 1e-3);
}

// Tensor ranks: the exchange of each product's input and output is exposed in the forward pass: one
// all-reduce behind attention, one behind the MLP; in the backward pass they run beside the
// products for the weights, and hide as long as these last.
TEST(StepTime, ExposesTheExchangesOfTensorRanks) {
  training::TrainingSpec spec = small_training();
  spec.tensor_parallel_size = 2;
  spec.num_microbatches = 1;
  const training::StepTime step = step_of(spec, only(training::Group::kTensor, 1_us));
  // Two of each layer, and the loss.
  EXPECT_EQ(part(step, Part::kTensor), 1_us * (2 * 4 + 1));
}

// Gradients of all layers but the first hide behind the backward pass of those before them.
TEST(StepTime, HidesTheReductionOfGradients) {
  training::TrainingSpec spec = small_training();
  spec.data_parallel_size = 2;
  spec.bucket_size = 1_B;
  const Duration alone = step_of(spec).total;
  const training::StepTime step = step_of(spec, only(training::Group::kData, 1_us));
  EXPECT_EQ(part(step, Part::kData), 1_us);  // the embedding's, the last
  EXPECT_EQ(step.total, alone + 1_us);
  spec.style.reduce_overlap = false;
  EXPECT_EQ(part(step_of(spec, only(training::Group::kData, 1_us)), Part::kData), 1_us * (4 + 2));
}

// Each pass of each microbatch gathers each layer: where that takes longer than computing, it is
// the step.
TEST(StepTime, GathersShardedParametersInEveryPass) {
  training::TrainingSpec spec = small_training();
  spec.data_parallel_size = 2;
  spec.zero_stage = 3;
  const training::StepTime step = step_of(spec, only(training::Group::kShard, 100_ms));
  // 4 layers, embedding and head: gathered forward and backward, reduced backward; 2 microbatches.
  EXPECT_NEAR(to_seconds(step.total), 0.1 * 3 * 6 * 2, 0.2);
}

TEST(StepTime, WaitsForASlowHost) {
  host::HostSpec host;
  host.launch_cost = 1_ms;
  training::TrainingSpec spec = small_training();
  const training::StepTime step = step_of(spec, no_network(), host);
  EXPECT_GT(part(step, Part::kHost), part(step, Part::kProducts));
  spec.style.graphs = training::Graphs::kStep;
  EXPECT_EQ(part(step_of(spec, no_network(), host), Part::kHost), Duration(0));
}

// The forward pass once more: of products a third, of all kernels a little more.
TEST(StepTime, ComputesAgainWhatIsRecomputed) {
  training::TrainingSpec spec = even_pipeline();
  spec.pipeline_parallel_size = 1;
  const training::StepTime kept = step_of(spec);
  spec.recompute.granularity = training::Granularity::kFull;
  const training::StepTime again = step_of(spec);
  EXPECT_GT(to_seconds(again.total), 1.15 * to_seconds(kept.total));
  EXPECT_LT(to_seconds(again.total), 1.4 * to_seconds(kept.total));
}

// What is left over goes to the middle: the ends have embedding and head.
TEST(StepTime, SpreadsLayersOverStagesAndChunks) {
  training::TrainingSpec spec = small_training();
  spec.model.num_layers = 6;
  spec.pipeline_parallel_size = 4;
  using Layers = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(layers_of_chunks(spec), (Layers{{1}, {2}, {2}, {1}}));
  spec.virtual_pipeline_size = 2;
  EXPECT_EQ(layers_of_chunks(spec), (Layers{{0, 1}, {1, 1}, {1, 1}, {1, 0}}));
}

}  // namespace
}  // namespace septet::test
