#include "scenarios/config/models/model_fields.hpp"

namespace septet::config {
namespace {

constexpr std::uint32_t kMost = 1U << 24;

template <class Spec>
Field<Spec> size(std::string key, std::uint32_t Spec::*member, std::string description,
                 std::uint32_t least = 1) {
  return ranged(std::move(key), member, std::move(description), between(least, kMost));
}

}  // namespace

const Fields<transformer::Experts>& expert_fields() {
  using E = transformer::Experts;
  static const Fields<E> rows = {
      required(size("num_experts", &E::num_experts, "experts of a layer")),
      required(size("moe_router_topk", &E::moe_router_topk, "experts per token")),
      required(
          size("moe_ffn_hidden_size", &E::moe_ffn_hidden_size, "ffn_hidden_size of each expert")),
      size("moe_shared_expert_intermediate_size", &E::moe_shared_expert_intermediate_size,
           "ffn_hidden_size of the shared experts", 0),
      size("dense_layers", &E::dense_layers, "leading layers with a dense MLP instead", 0),
  };
  return rows;
}

const Fields<transformer::LatentAttention>& latent_fields() {
  using L = transformer::LatentAttention;
  static const Fields<L> rows = {
      size("q_lora_rank", &L::q_lora_rank, "rank of the compressed queries", 0),
      required(size("kv_lora_rank", &L::kv_lora_rank,
                    "rank of the compressed keys and values in the cache")),
      required(size("qk_head_dim", &L::qk_head_dim,
                    "head dimension of queries and keys without rotary embedding")),
      required(size("qk_pos_emb_head_dim", &L::qk_pos_emb_head_dim,
                    "head dimension of queries and keys with rotary embedding")),
      required(size("v_head_dim", &L::v_head_dim, "head dimension of values")),
  };
  return rows;
}

const Fields<transformer::Model>& model_fields() {
  using M = transformer::Model;
  static const Fields<M> rows = {
      field("description", &M::description, "one-line description of the model"),
      field("aliases", &M::aliases, "other names, such as its repository"),
      required(size("num_layers", &M::num_layers, "transformer layers")),
      required(size("hidden_size", &M::hidden_size, "width of the activations between layers")),
      required(size("num_attention_heads", &M::num_attention_heads, "query heads")),
      size("num_query_groups", &M::num_query_groups, "heads of keys and values"),
      size("kv_channels", &M::kv_channels, "head dimension"),
      size("ffn_hidden_size", &M::ffn_hidden_size, "width of the dense MLP"),
      required(size("vocab_size", &M::vocab_size, "size of the vocabulary")),
      size("max_position_embeddings", &M::max_position_embeddings, "maximum tokens of a sequence"),
      field("gated_linear_unit", &M::gated_linear_unit, "gated MLP"),
      field("tied_embeddings", &M::tied_embeddings,
            "the output layer shares the embedding weights"),
      field("qk_norm", &M::qk_norm, "norm of queries and keys of each head"),
      field("learned_positions", &M::learned_positions,
            "learned position embedding instead of rotary"),
      field("parallel_block", &M::parallel_block,
            "attention and MLP run in parallel on the same input"),
      size("window_size", &M::window_size, "sliding window of layers with a window, in tokens"),
      size("windowed_layers", &M::windowed_layers, "number of layers with a sliding window", 0),
      size("mtp_layers", &M::mtp_layers, "layers for multi-token prediction", 0),
      field("weights", &M::weights, "format of the quantised matrices in the checkpoint"),
      field("quantized", &M::quantized, "which matrices are quantised"),
      section("experts", &M::experts, expert_fields, "a mixture of experts"),
      section("latent", &M::latent, latent_fields, "multi-head latent attention"),
  };
  return rows;
}

}  // namespace septet::config
