// What a GPU does for one microbatch: kernels, and where it talks to others.
//
// A layer has attention and an MLP, dense or of experts; the backward pass of a product is two
// products. In its backward pass a column-parallel product's exchange runs beside the product for
// the weights, and its input is gathered again beside the product for the input (Megatron-LM,
// tensor_parallel/layers.py). Mixtures of experts: router, tokens sorted, sent to the experts' GPUs
// and back, balanced. Latent attention: products into and out of the compressed vectors; its heads
// count with the mean of their two dimensions. A sequence over several GPUs: keys and values go
// round while attention computes; each GPU has early and late tokens, so all see as many.
//
// Unfused attention: two products with softmax and dropout between them over all pairs, masked ones
// included. With fp8, products of layers take casts of their inputs and gradients.
//
// Ignored: biases' gradients, norms' weights, auxiliary losses, masks of packed documents.
#pragma once

#include <vector>

#include "models/workload/training/training_spec.hpp"
#include "models/workload/training/work_item.hpp"

namespace septet::training {

// What one layer of a kind does, and holds on one GPU.
struct LayerWork {
  WorkList forward, backward;
  double dense_parameters = 0;   // on one GPU: shared by all replicas
  double expert_parameters = 0;  // on one GPU: of experts
};

struct StageWork {
  std::vector<LayerWork> kinds;                    // of layers
  std::vector<std::uint32_t> layers;               // by layer: its kind
  WorkList embedding_forward, embedding_backward;  // of the first stage
  WorkList head_forward, head_backward;            // of the last one
  double embedding_parameters = 0;                 // on one GPU, of the embedding or of the head
  Bytes activations{};                             // that go from stage to stage
};

StageWork stage_work(const TrainingSpec& spec);

// Parts of it (attention_work.cpp, mlp_work.cpp).
class WorkBuilder;
void add_attention(WorkBuilder& build, bool windowed);
void add_attention_backward(WorkBuilder& build, bool windowed);
void add_attention_recomputation(WorkBuilder& build, bool windowed);
void add_mlp(WorkBuilder& build, bool experts);
void add_mlp_backward(WorkBuilder& build, bool experts);

// The optimizer's kernels for so many parameters of one GPU's share.
WorkList update_work(const TrainingSpec& spec, double parameters);

}  // namespace septet::training
