// One training step of a decoder-only transformer on many GPUs: the model, the batch, and how both
// are divided. Names are those of Megatron-LM.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/workload/training/training_style.hpp"
#include "models/workload/transformer/model.hpp"

namespace septet::training {

// A GPU whose kernels take `factor` times as long.
struct SlowGpu {
  std::uint32_t device = 0;
  double factor = 1;
};

struct TrainingSpec {
  transformer::Model model;
  std::uint32_t seq_length = 0;                   // tokens
  std::uint32_t micro_batch_size = 1;             // sequences that a GPU works on at once
  std::uint32_t num_microbatches = 1;             // of a step, on each data-parallel replica
  std::uint32_t tensor_parallel_size = 1;         // GPUs that share each layer's matrices
  std::uint32_t context_parallel_size = 1;        // GPUs that share each sequence
  std::uint32_t pipeline_parallel_size = 1;       // stages of layers
  std::uint32_t virtual_pipeline_size = 1;        // chunks of layers on each stage
  std::uint32_t data_parallel_size = 1;           // replicas
  std::uint32_t expert_parallel_size = 1;         // GPUs over which experts are spread
  std::uint32_t expert_tensor_parallel_size = 1;  // GPUs that share each expert's matrices
  Bytes bucket_size{25'000'000};     // gradients are reduced in pieces of at least this size
  std::uint32_t zero_stage = 0;      // what replicas share: 1 optimizer, 2 gradients, 3 parameters
  std::uint32_t shard_size = 0;      // GPUs that share it (HSDP); 0: all replicas
  bool sequence_parallel = false;    // tensor ranks share the tokens outside of matrices
  Recomputation recompute{};         // what is computed again in the backward pass
  std::uint32_t offload_layers = 0;  // whose activations wait in host memory
  double expert_imbalance = 1;       // tokens of the busiest expert rank against the mean
  double gpu_spread = 0.012;         // of GPUs' speeds: standard deviation against the mean
  Style style{};
  std::uint32_t steps = 1;
  std::vector<SlowGpu> slow;

  std::uint32_t replica() const {
    return tensor_parallel_size * context_parallel_size * pipeline_parallel_size;
  }
  std::uint32_t ranks() const { return replica() * data_parallel_size; }
  // Of a microbatch on one GPU.
  std::uint32_t tokens() const { return micro_batch_size * seq_length / context_parallel_size; }
  // GPUs that hold the same part of the model and see other tokens.
  std::uint32_t same_parameters() const { return data_parallel_size * context_parallel_size; }
  // GPUs over which its optimizer states are spread.
  std::uint32_t shards() const {
    if (zero_stage == 0) return 1;
    return shard_size == 0 ? same_parameters() : shard_size;
  }
  // GPUs that hold the same experts.
  std::uint32_t same_experts() const;
  double global_batch() const {
    return static_cast<double>(micro_batch_size) * num_microbatches * data_parallel_size;
  }
};

// Throws ConfigError naming the field (`training.model.num_attention_heads`, ...), what was got and
// what is wanted.
void check(const TrainingSpec& spec);

}  // namespace septet::training
