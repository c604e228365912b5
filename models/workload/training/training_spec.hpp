// One training step of a decoder-only transformer on many GPUs: the model's shape, the batch, and
// how both are divided.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet {

struct Transformer {
  std::uint32_t layers = 0;
  std::uint32_t hidden = 0;
  std::uint32_t heads = 0;
  std::uint32_t kv_heads = 0;      // heads of keys and values
  std::uint32_t feed_forward = 0;  // columns of the gated MLP, of each expert where there are any
  std::uint32_t vocabulary = 0;
  std::uint32_t experts = 0;         // 0: a dense MLP
  std::uint32_t active_experts = 1;  // that work on one token
};

// A GPU whose kernels take `factor` times as long.
struct SlowGpu {
  std::uint32_t device = 0;
  double factor = 1;
};

struct TrainingSpec {
  Transformer model;
  std::uint32_t sequence = 0;      // tokens
  std::uint32_t micro_batch = 1;   // sequences that a GPU works on at once
  std::uint32_t microbatches = 1;  // of a step, on each data-parallel replica
  std::uint32_t tensor = 1;        // GPUs that share each layer's matrices
  std::uint32_t pipeline = 1;      // stages of layers
  std::uint32_t data = 1;          // replicas
  std::uint32_t expert = 1;        // replicas over which experts are spread
  Bytes bucket{25'000'000};        // gradients are reduced in pieces of at least this size
  bool sharded = false;            // each replica updates its share of the parameters (ZeRO-1)
  bool recompute = false;          // activations are computed again in the backward pass
  bool sequence_parallel = false;  // tensor ranks share the tokens outside of matrices
  std::uint32_t steps = 1;
  std::vector<SlowGpu> slow;

  std::uint32_t ranks() const { return tensor * pipeline * data; }
  std::uint32_t tokens() const { return micro_batch * sequence; }  // of a microbatch
};

// Throws ConfigError naming the field (`training.model.heads`, ...), what was got and what is
// wanted.
void check(const TrainingSpec& spec);

}  // namespace septet
