#include "models/workload/training/training_rate.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

// 2 layers of 8 columns; 4 heads of 2, 2 of them with keys and values; 16 columns in the MLP.
training::TrainingSpec tiny() {
  training::TrainingSpec spec;
  spec.model.num_layers = 2;
  spec.model.hidden_size = 8;
  spec.model.num_attention_heads = 4;
  spec.model.num_query_groups = 2;
  spec.model.ffn_hidden_size = 16;
  spec.model.vocab_size = 100;
  spec.seq_length = 10;
  spec.micro_batch_size = 3;
  spec.num_microbatches = 5;
  spec.tensor_parallel_size = 2;
  spec.data_parallel_size = 7;
  spec.steps = 4;
  return spec;
}

TEST(TrainingRate, IsOfOneStepOfAllReplicas) {
  gpu::GpuSpec gpu;
  gpu.sm_count = 10;
  gpu.clock = 1000_MHz;
  gpu.tensor.bf16_flops = 100;
  const training::TrainingRate rate = training_rate(gpu, tiny(), 8_ms);  // four steps of 2 ms
  EXPECT_DOUBLE_EQ(rate.tokens, 3 * 10 * 5 * 7);  // tensor ranks share theirs
  EXPECT_DOUBLE_EQ(rate.tokens_per_second, 1050 / 2e-3);
  // Queries and output 8 x 8, keys and values 8 x 4; gate, up and down 8 x 16; head 8 x 100: 1952.
  EXPECT_DOUBLE_EQ(rate.flops, 1050.0 * (6 * 1952 + 12 * 2 * 8 * 10));
  EXPECT_DOUBLE_EQ(rate.achieved.count(), rate.flops / 2e-3 / 14);
  EXPECT_DOUBLE_EQ(rate.peak.count(), 1e12);
  EXPECT_DOUBLE_EQ(rate.utilization, rate.achieved.count() / 1e12);
}

TEST(TrainingRate, DoesNotCountWhatIsComputedAgain) {
  training::TrainingSpec spec = tiny();
  spec.recompute.granularity = training::Granularity::kFull;
  EXPECT_DOUBLE_EQ(training_rate(gpu::GpuSpec{}, spec, 8_ms).flops,
                   training_rate(gpu::GpuSpec{}, tiny(), 8_ms).flops);
  EXPECT_DOUBLE_EQ(training_rate(gpu::GpuSpec{}, spec, 8_ms).utilization, 0);  // no tensor cores
}

}  // namespace
}  // namespace septet::test
