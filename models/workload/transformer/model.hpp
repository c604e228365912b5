// A decoder-only transformer: the numbers of its shape, under the names of Megatron-LM, and how
// many parameters they make. Serving and training describe models with it alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/transformer/number_format.hpp"

namespace septet::transformer {

// Attention over a compressed cache (DeepSeek-AI, "DeepSeek-V2", 2024): keys and values of all
// heads are products of one vector of kv_lora_rank numbers, beside qk_pos_emb_head_dim rotated
// ones.
struct LatentAttention {
  std::uint32_t q_lora_rank = 0;  // 0: queries are not compressed
  std::uint32_t kv_lora_rank = 0;
  std::uint32_t qk_head_dim = 0;          // of a head, without the rotated part
  std::uint32_t qk_pos_emb_head_dim = 0;  // the rotated part
  std::uint32_t v_head_dim = 0;

  constexpr bool used() const { return kv_lora_rank > 0; }
};

struct Experts {
  std::uint32_t num_experts = 0;  // 0: every layer has a dense MLP
  std::uint32_t moe_router_topk = 1;
  std::uint32_t moe_ffn_hidden_size = 0;                  // of each expert
  std::uint32_t moe_shared_expert_intermediate_size = 0;  // of what all tokens pass; 0: nothing
  std::uint32_t dense_layers = 0;                         // layers that have a dense MLP instead

  constexpr bool used() const { return num_experts > 0; }
};

// Which matrices are stored in the format of `weights`; all others are in sixteen bits, as are the
// embedding, the head, norms and routers always.
enum class Quantized : std::uint8_t { kLinear, kExperts };

constexpr auto enum_table(std::type_identity<Quantized>) {
  return enum_texts<Quantized>("linear", "experts");
}

struct Model {
  std::string name;
  std::vector<std::string> aliases;
  std::string description;
  std::uint32_t num_layers = 0;
  std::uint32_t hidden_size = 0;
  std::uint32_t num_attention_heads = 0;
  std::uint32_t num_query_groups = 0;  // heads of keys and values; 0: as many as heads
  std::uint32_t kv_channels = 0;       // of a head; 0: hidden_size / num_attention_heads
  std::uint32_t ffn_hidden_size = 0;   // of a dense MLP; 0: there is none
  std::uint32_t vocab_size = 0;
  std::uint32_t max_position_embeddings = 0;  // 0: not known
  bool gated_linear_unit = true;              // the MLP has gate and up; otherwise up alone
  bool tied_embeddings = false;               // the head is the embedding
  bool qk_norm = false;                       // norms of queries and keys of each head
  bool learned_positions = false;             // instead of a rotary embedding
  bool parallel_block = false;                // attention and MLP take one norm's output
  std::uint32_t window_size = 0;  // tokens that layers with a window see; 0: there are none
  std::uint32_t windowed_layers = 0;
  std::uint32_t mtp_layers = 0;  // that predict further tokens
  LatentAttention latent;
  Experts experts;
  NumberFormat weights = NumberFormat::kBf16;
  Quantized quantized = Quantized::kLinear;

  std::uint32_t groups() const {
    return num_query_groups == 0 ? num_attention_heads : num_query_groups;
  }
  std::uint32_t head_dim() const;
  std::uint32_t moe_layers() const {
    return experts.used() ? num_layers - experts.dense_layers : 0;
  }
  std::uint32_t dense_layers() const { return num_layers - moe_layers(); }
};

// Throws ConfigError naming the field, what was got and what is wanted.
void check(const Model& model);

// Parameters of matrices; norms, biases and routers are below a thousandth and counted with none.
double attention_parameters(const Model& model);  // of a layer
double dense_parameters(const Model& model);      // of a dense MLP
double expert_parameters(const Model& model);     // of one expert
double shared_parameters(const Model& model);     // of what all tokens of an MoE layer pass
double embedding_parameters(const Model& model);  // of the embedding; as many of a head of its own
double total_parameters(const Model& model);
// Those that a token meets: the experts that it is routed to, and the head.
double active_parameters(const Model& model);

}  // namespace septet::transformer
