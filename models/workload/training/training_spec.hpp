// One training step of a decoder-only transformer on many GPUs: the model's shape, the batch, and
// how both are divided. Names are those of Megatron-LM.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::training {

struct Transformer {
  std::uint32_t num_layers = 0;
  std::uint32_t hidden_size = 0;
  std::uint32_t num_attention_heads = 0;
  std::uint32_t num_query_groups = 0;  // heads of keys and values
  std::uint32_t ffn_hidden_size =
      0;  // columns of the gated MLP, of each expert where there are any
  std::uint32_t vocab_size = 0;
  std::uint32_t num_experts = 0;  // 0: a dense MLP
  std::uint32_t moe_top_k = 1;    // that work on one token
};

// A GPU whose kernels take `factor` times as long.
struct SlowGpu {
  std::uint32_t device = 0;
  double factor = 1;
};

struct TrainingSpec {
  Transformer model;
  std::uint32_t seq_length = 0;              // tokens
  std::uint32_t micro_batch_size = 1;        // sequences that a GPU works on at once
  std::uint32_t num_microbatches = 1;        // of a step, on each data-parallel replica
  std::uint32_t tensor_parallel_size = 1;    // GPUs that share each layer's matrices
  std::uint32_t pipeline_parallel_size = 1;  // stages of layers
  std::uint32_t data_parallel_size = 1;      // replicas
  std::uint32_t expert_parallel_size = 1;    // replicas over which experts are spread
  Bytes bucket_size{25'000'000};       // gradients are reduced in pieces of at least this size
  std::uint32_t zero_stage = 0;        // 1: each replica updates its share of the parameters (ZeRO)
  bool recompute_activations = false;  // activations are computed again in the backward pass
  bool sequence_parallel = false;      // tensor ranks share the tokens outside of matrices
  std::uint32_t steps = 1;
  std::vector<SlowGpu> slow;

  std::uint32_t ranks() const {
    return tensor_parallel_size * pipeline_parallel_size * data_parallel_size;
  }
  std::uint32_t tokens() const { return micro_batch_size * seq_length; }  // of a microbatch
};

// Throws ConfigError naming the field (`training.model.num_attention_heads`, ...), what was got and
// what is wanted.
void check(const TrainingSpec& spec);

}  // namespace septet::training
