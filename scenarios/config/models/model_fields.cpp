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
      required(size("moe_router_topk", &E::moe_router_topk, "experts that work on one token")),
      required(size("moe_ffn_hidden_size", &E::moe_ffn_hidden_size, "columns of each expert")),
      size("moe_shared_expert_intermediate_size", &E::moe_shared_expert_intermediate_size,
           "columns of what all tokens pass", 0),
      size("dense_layers", &E::dense_layers, "layers with a dense MLP instead", 0),
  };
  return rows;
}

const Fields<transformer::LatentAttention>& latent_fields() {
  using L = transformer::LatentAttention;
  static const Fields<L> rows = {
      size("q_lora_rank", &L::q_lora_rank, "numbers that queries are compressed to", 0),
      required(size("kv_lora_rank", &L::kv_lora_rank, "numbers that a token's cache holds")),
      required(size("qk_head_dim", &L::qk_head_dim, "of a head's queries, what isn't rotated")),
      required(
          size("qk_pos_emb_head_dim", &L::qk_pos_emb_head_dim, "of a head's queries, the rest")),
      required(size("v_head_dim", &L::v_head_dim, "of a head's values")),
  };
  return rows;
}

const Fields<transformer::Model>& model_fields() {
  using M = transformer::Model;
  static const Fields<M> rows = {
      field("description", &M::description, "the model in one line"),
      field("aliases", &M::aliases, "other names, such as that of its repository"),
      required(size("num_layers", &M::num_layers, "transformer layers")),
      required(size("hidden_size", &M::hidden_size, "columns of activations between layers")),
      required(size("num_attention_heads", &M::num_attention_heads, "heads of queries")),
      size("num_query_groups", &M::num_query_groups, "heads of keys and values"),
      size("kv_channels", &M::kv_channels, "numbers of a head"),
      size("ffn_hidden_size", &M::ffn_hidden_size, "columns of a dense MLP"),
      required(size("vocab_size", &M::vocab_size, "tokens of the vocabulary")),
      size("max_position_embeddings", &M::max_position_embeddings, "tokens of a sequence, at most"),
      field("gated_linear_unit", &M::gated_linear_unit, "the MLP has a gate"),
      field("tied_embeddings", &M::tied_embeddings, "the head is the embedding"),
      field("qk_norm", &M::qk_norm, "queries and keys of each head are normed"),
      field("learned_positions", &M::learned_positions, "instead of a rotary embedding"),
      field("parallel_block", &M::parallel_block, "attention and MLP share their input"),
      size("window_size", &M::window_size, "tokens that layers with a window see"),
      size("windowed_layers", &M::windowed_layers, "layers with a window", 0),
      size("mtp_layers", &M::mtp_layers, "layers that predict further tokens", 0),
      field("weights", &M::weights, "format of the checkpoint's quantised matrices"),
      field("quantized", &M::quantized, "which these are"),
      section("experts", &M::experts, expert_fields, "a mixture of experts"),
      section("latent", &M::latent, latent_fields, "attention over a compressed cache"),
  };
  return rows;
}

}  // namespace septet::config
