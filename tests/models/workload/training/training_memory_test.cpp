#include "models/workload/training/training_memory.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

// GPT: 4 h in the MLP, heads of 64, no gate.
training::TrainingSpec gpt() {
  training::TrainingSpec spec;
  spec.model.num_layers = 8;
  spec.model.hidden_size = 1024;
  spec.model.num_attention_heads = 16;
  spec.model.ffn_hidden_size = 4096;
  spec.model.vocab_size = 51200;
  spec.model.gated_linear_unit = false;
  spec.model.tied_embeddings = true;
  spec.seq_length = 2048;
  spec.micro_batch_size = 3;
  spec.style.framework = training::Framework::kMegatron;
  spec.style.flash_attention = false;
  spec.style.attention_dropout = true;
  return spec;
}

// Korthikanti et al., equation 1: s b h (34 + 5 a s / h) bytes; equation 4, with t tensor ranks and
// sequence parallelism, a t-th of it.
TEST(TrainingMemory, KeepsTheActivationsOfTheFormula) {
  training::TrainingSpec spec = gpt();
  const double sbh = 2048.0 * 3 * 1024;
  const double whole = sbh * (34 + 5.0 * 16 * 2048 / 1024);
  EXPECT_DOUBLE_EQ(training::layer_activations(spec, false), whole);
  spec.tensor_parallel_size = 4;
  spec.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(training::layer_activations(spec, false), whole / 4);
  // Equation 2, without it: s b h (10 + 24 / t + 5 a s / (h t)).
  spec.sequence_parallel = false;
  EXPECT_DOUBLE_EQ(training::layer_activations(spec, false),
                   sbh * (10 + 24.0 / 4 + 5.0 * 16 * 2048 / 1024 / 4));
}

// Equation 6 with selective recomputation: s b h 34; with full recomputation 2 s b h a layer and
// the layer at work.
TEST(TrainingMemory, KeepsLessWhereItComputesAgain) {
  training::TrainingSpec spec = gpt();
  const double sbh = 2048.0 * 3 * 1024;
  spec.recompute = {.granularity = training::Granularity::kSelective, .attention = true};
  EXPECT_EQ(training::largest_memory(spec).activations.count(),
            static_cast<std::int64_t>(8 * 34 * sbh));
  spec.recompute = {.granularity = training::Granularity::kFull};
  // The layer at work has the place of the logits: 10 bytes each of 51,200 a token.
  EXPECT_EQ(
      training::largest_memory(spec).activations.count(),
      static_cast<std::int64_t>(8 * 2 * sbh + std::max(0.0, sbh * (34 + 5.0 * 16 * 2048 / 1024) -
                                                                10.0 * 51200 * 2048 * 3)));
}

// Rajbhandari et al., figure 1: 2 + 2 + 12 bytes a parameter; ZeRO shares the 12, the 2 + 12, all.
TEST(TrainingMemory, SharesStatesByTheStageOfZero) {
  training::TrainingSpec spec = gpt();
  spec.data_parallel_size = 4;
  const double parameters = 8 * (4.0 + 8) * 1024 * 1024 + 51200.0 * 1024;
  const double bytes[] = {16, 4 + 12.0 / 4, 2 + 14.0 / 4, 16.0 / 4};
  for (std::uint32_t stage = 0; stage < 4; ++stage) {
    spec.zero_stage = stage;
    const training::MemoryUse use = training::largest_memory(spec);
    const Bytes states = use.parameters + use.gradients + use.optimizer;
    EXPECT_NEAR(static_cast<double>(states.count()), bytes[stage] * parameters, 3) << stage;
  }
}

// Sums in 32 bits take two bytes more.
TEST(TrainingMemory, AddsUpGradientsInThirtyTwoBits) {
  training::TrainingSpec spec = gpt();
  const Bytes half = training::largest_memory(spec).gradients;
  spec.style.reduce_in_fp32 = true;
  EXPECT_EQ(training::largest_memory(spec).gradients, half * 2);
}

// 1F1B holds p - i microbatches on stage i; interleaved, stage 0 holds
// (2 (p - 1) + (v - 1) p + 1) / v = p (1 + (p - 1) / (p v)) of them (Narayanan et al., section 2.2,
// for p = 4 and v = 2: 11 halves).
TEST(TrainingMemory, HoldsMicrobatchesUnderWay) {
  training::TrainingSpec spec = gpt();
  spec.pipeline_parallel_size = 4;
  spec.num_microbatches = 16;
  const double layer = training::layer_activations(spec, false);
  const auto stages = training::memory_of_stages(spec);
  ASSERT_EQ(stages.size(), 4U);
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_EQ(stages[s].activations.count(),
              static_cast<std::int64_t>(2 * layer * static_cast<double>(4 - s)));
  }
  spec.virtual_pipeline_size = 2;
  EXPECT_EQ(training::memory_of_stages(spec)[0].activations.count(),
            static_cast<std::int64_t>(2 * layer * 11 / 2));
  spec.num_microbatches = 2;  // no more than there are
  spec.virtual_pipeline_size = 1;
  EXPECT_EQ(training::memory_of_stages(spec)[0].activations.count(),
            static_cast<std::int64_t>(2 * layer * 2));
}

// Expert ranks hold fewer experts, and as many routed tokens as before.
TEST(TrainingMemory, DoesNotDivideRoutedTokensByExpertRanks) {
  training::TrainingSpec spec = gpt();
  spec.model.experts = {.num_experts = 8, .moe_router_topk = 2, .moe_ffn_hidden_size = 512};
  spec.data_parallel_size = 8;
  const training::MemoryUse one = training::largest_memory(spec);
  spec.expert_parallel_size = 8;
  const training::MemoryUse eight = training::largest_memory(spec);
  EXPECT_EQ(one.activations, eight.activations);
  EXPECT_EQ(one.parameters.count() - eight.parameters.count(), 2LL * 8 * 7 * 2 * 1024 * 512);
}

TEST(TrainingMemory, SaysTheSum) {
  training::TrainingSpec spec = gpt();
  spec.model.num_layers = 1;
  const std::string text = training::sum_text(training::largest_memory(spec));
  EXPECT_TRUE(text.starts_with("parameters 0.1 + gradients 0.1 + optimizer 0.7 + activations"))
      << text;
  EXPECT_TRUE(text.ends_with(" GiB")) << text;
}

}  // namespace
}  // namespace septet::test
