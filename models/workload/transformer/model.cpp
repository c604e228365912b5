#include "models/workload/transformer/model.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::transformer {
namespace {

[[noreturn]] void fail(const char* key, double got, const std::string& wanted) {
  throw ConfigError::value({}, fmt::format("model.{}", key), fmt::format("{:g}", got), wanted);
}

void at_least_one(const char* key, std::uint32_t value) {
  if (value == 0) fail(key, 0, "at least 1");
}

void check_heads(const Model& model) {
  const std::uint32_t heads = model.num_attention_heads;
  if (heads % model.groups() != 0) {
    fail("num_query_groups", model.groups(), fmt::format("a divisor of the {} heads", heads));
  }
  if (model.kv_channels == 0 && model.hidden_size % heads != 0) {
    fail("num_attention_heads", heads, "a divisor of hidden_size, or kv_channels");
  }
  if (model.latent.used()) {
    at_least_one("qk_head_dim", model.latent.qk_head_dim);
    at_least_one("v_head_dim", model.latent.v_head_dim);
  }
}

void check_experts(const Model& model) {
  const Experts& experts = model.experts;
  at_least_one("moe_ffn_hidden_size", experts.moe_ffn_hidden_size);
  at_least_one("moe_router_topk", experts.moe_router_topk);
  if (experts.moe_router_topk > experts.num_experts) {
    fail("moe_router_topk", experts.moe_router_topk,
         fmt::format("at most the {} experts", experts.num_experts));
  }
  if (experts.dense_layers > model.num_layers) {
    fail("dense_layers", experts.dense_layers,
         fmt::format("at most the {} layers", model.num_layers));
  }
}

}  // namespace

std::uint32_t Model::head_dim() const {
  return kv_channels != 0 ? kv_channels : hidden_size / num_attention_heads;
}

void check(const Model& model) {
  at_least_one("num_layers", model.num_layers);
  at_least_one("hidden_size", model.hidden_size);
  at_least_one("num_attention_heads", model.num_attention_heads);
  at_least_one("vocab_size", model.vocab_size);
  check_heads(model);
  if (model.experts.used()) check_experts(model);
  if (model.dense_layers() > 0) at_least_one("ffn_hidden_size", model.ffn_hidden_size);
  if (model.windowed_layers > model.num_layers) {
    fail("windowed_layers", model.windowed_layers,
         fmt::format("at most the {} layers", model.num_layers));
  }
  if (model.windowed_layers > 0) at_least_one("window_size", model.window_size);
}

double attention_parameters(const Model& model) {
  const double hidden = model.hidden_size;
  const double heads = model.num_attention_heads;
  if (!model.latent.used()) {
    return hidden * model.head_dim() * (2 * heads + 2 * model.groups());
  }
  const LatentAttention& latent = model.latent;
  const double query = heads * (latent.qk_head_dim + latent.qk_pos_emb_head_dim);
  const double queries =
      latent.q_lora_rank > 0 ? latent.q_lora_rank * (hidden + query) : hidden * query;
  const double rank = latent.kv_lora_rank;
  return queries + hidden * (rank + latent.qk_pos_emb_head_dim) +
         rank * heads * (latent.qk_head_dim + latent.v_head_dim) +
         heads * latent.v_head_dim * hidden;
}

namespace {

double mlp(const Model& model, double width) {
  return (model.gated_linear_unit ? 3.0 : 2.0) * model.hidden_size * width;
}

}  // namespace

double dense_parameters(const Model& model) { return mlp(model, model.ffn_hidden_size); }

double expert_parameters(const Model& model) {
  return mlp(model, model.experts.moe_ffn_hidden_size);
}

double shared_parameters(const Model& model) {
  return mlp(model, model.experts.moe_shared_expert_intermediate_size);
}

double embedding_parameters(const Model& model) {
  return static_cast<double>(model.vocab_size) * model.hidden_size;
}

double total_parameters(const Model& model) {
  const double moe =
      model.experts.num_experts * expert_parameters(model) + shared_parameters(model);
  return model.num_layers * attention_parameters(model) +
         model.dense_layers() * dense_parameters(model) + model.moe_layers() * moe +
         (model.tied_embeddings ? 1 : 2) * embedding_parameters(model);
}

double active_parameters(const Model& model) {
  const double moe =
      model.experts.moe_router_topk * expert_parameters(model) + shared_parameters(model);
  return model.num_layers * attention_parameters(model) +
         model.dense_layers() * dense_parameters(model) + model.moe_layers() * moe +
         embedding_parameters(model);
}

}  // namespace septet::transformer
