#include "models/workload/transformer/model.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::testing {
namespace {

transformer::Model small() {
  transformer::Model model;
  model.name = "small";
  model.num_layers = 2;
  model.hidden_size = 8;
  model.num_attention_heads = 4;
  model.num_query_groups = 2;
  model.ffn_hidden_size = 16;
  model.vocab_size = 10;
  return model;
}

TEST(Model, CountsTheParametersOfItsMatrices) {
  const transformer::Model model = small();
  EXPECT_EQ(attention_parameters(model), 8 * 8 + 2 * 8 * 4 + 8 * 8);  // q; k and v; o
  EXPECT_EQ(dense_parameters(model), 3 * 8 * 16);
  EXPECT_EQ(total_parameters(model), 2 * (192 + 384) + 2 * 80);
  EXPECT_EQ(active_parameters(model), 2 * (192 + 384) + 80);  // the embedding is looked up
}

TEST(Model, HasOneMatrixLessWithoutAGateAndOneEmbeddingWhereItIsTied) {
  transformer::Model model = small();
  model.gated_linear_unit = false;
  model.tied_embeddings = true;
  EXPECT_EQ(total_parameters(model), 2 * (192 + 256) + 80);
}

TEST(Model, CountsAllExpertsAndThoseThatATokenMeets) {
  transformer::Model model = small();
  model.experts = {.num_experts = 4,
                   .moe_router_topk = 2,
                   .moe_ffn_hidden_size = 4,
                   .moe_shared_expert_intermediate_size = 2,
                   .dense_layers = 1};
  const double expert = 3 * 8 * 4;
  const double shared = 3 * 8 * 2;
  EXPECT_EQ(total_parameters(model), 2 * 192 + 384 + 4 * expert + shared + 2 * 80);
  EXPECT_EQ(active_parameters(model), 2 * 192 + 384 + 2 * expert + shared + 80);
}

// q: 8 x 6 and 6 x 4 (3 + 1); the cache: 8 x (5 + 1); keys and values: 5 x 4 (3 + 2); out: 8 x 8.
TEST(Model, CountsCompressedAttention) {
  transformer::Model model = small();
  model.latent = {.q_lora_rank = 6,
                  .kv_lora_rank = 5,
                  .qk_head_dim = 3,
                  .qk_pos_emb_head_dim = 1,
                  .v_head_dim = 2};
  EXPECT_EQ(attention_parameters(model), 48 + 96 + 48 + 100 + 64);
}

void expect_refused(transformer::Model model, const std::string& part) {
  try {
    check(model);
    ADD_FAILURE() << "accepted, wanted: " << part;
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Model, RefusesWhatNoModelHas) {
  transformer::Model model = small();
  model.num_query_groups = 3;
  expect_refused(model, "model.num_query_groups: got 3, wanted a divisor of the 4 heads");
  model = small();
  model.ffn_hidden_size = 0;
  expect_refused(model, "model.ffn_hidden_size: got 0");
  model = small();
  model.experts = {.num_experts = 4, .moe_router_topk = 5, .moe_ffn_hidden_size = 4};
  expect_refused(model, "model.moe_router_topk: got 5, wanted at most the 4 experts");
}

TEST(NumberFormat, CountsItsScales) {
  using transformer::NumberFormat;
  EXPECT_EQ(bytes_of(NumberFormat::kFp8), 1);
  EXPECT_EQ(bytes_of(NumberFormat::kMxfp4) * 32, 16 + 1);
  EXPECT_EQ(bytes_of(NumberFormat::kNvfp4) * 16, 8 + 1);
}

}  // namespace
}  // namespace septet::testing
