// What a GPU does for one microbatch: operators, and where it talks to others.
//
// Operators have the operands that one tensor-parallel rank holds, cold, under steady load. The
// backward pass of a product is two products; that of attention takes 2.5 times the forward one,
// since it has five products instead of two (Dao et al., FlashAttention, 2022); that of a norm or
// an elementwise operator takes twice as long, since it reads the gradient as well.
//
// With sequence parallelism each tensor rank has an equal share of the tokens outside of matrices
// (Korthikanti et al., "Reducing activation recomputation in large transformer models", MLSys
// 2023): each all-reduce of activations, forward and backward, becomes a reduce-scatter behind the
// product and an all-gather before the next one, of the same bytes together; norms, residuals,
// embedding and what goes to the next stage have 1 / n of the tokens. The loss still all-reduces
// its sums. Ignored: the further all-gather of a layer's input in its backward pass, which Megatron
// hides behind a product; the sum of norms' gradients over tensor ranks.
//
// Ignored: dropout, biases, the split of long sequences over GPUs.
#pragma once

#include <cstdint>
#include <vector>

#include "models/program/kernel.hpp"
#include "models/workload/training/training_spec.hpp"

namespace septet::training {

enum class WorkKind : std::uint8_t {
  kKernel,
  kTensorReduce,    // all-reduce over the tensor-parallel group: `bytes`
  kTensorGather,    // all-gather over it, with sequence parallelism: `bytes`, the whole output
  kTensorScatter,   // reduce-scatter over it: `bytes`, the whole input
  kExpertExchange,  // all-to-all over the expert-parallel group: `bytes`
};

struct WorkItem {
  WorkKind kind = WorkKind::kKernel;
  program::Kernel kernel{};
  Bytes bytes{};
};

struct StageWork {
  std::vector<WorkItem> layer_forward, layer_backward;
  std::vector<WorkItem> embedding_forward, embedding_backward;  // of the first stage
  std::vector<WorkItem> head_forward, head_backward;            // of the last one
  Bytes layer_gradients{};                                      // of one rank's share of a layer
  Bytes embedding_gradients{};  // and of the embedding, or of the head
  Bytes activations{};          // that go from stage to stage
};

StageWork stage_work(const TrainingSpec& spec);

// The optimiser's kernel for the parameters of one bucket of gradients.
WorkItem update_work(const TrainingSpec& spec, Bytes bucket);

}  // namespace septet::training
