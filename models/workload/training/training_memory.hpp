// What one GPU of each pipeline stage holds in a training step.
//
// Parameters, gradients, optimizer states: bytes a parameter times the parameters of the rank,
// divided over the GPUs that share them (Rajbhandari et al., "ZeRO", SC'20: 16 bytes a parameter in
// mixed precision: 2 + 2 + 12, the last, last two, or all of them over the replicas).
//
// Activations that a layer keeps for its backward pass, bytes of a token, with h hidden, a heads, s
// sequence, t tensor ranks (Korthikanti et al., "Reducing activation recomputation in large
// transformer models", MLSys 2023, whose sum for GPT is s b h (34 + 5 a s / h)):
//   inputs and outputs of norms 4 x 2h, masks of dropout 2h: over t with sequence parallelism
//   queries, keys, values 2 (q + kv) / t, their result 2 q / t, the MLP's 2 f (gates + 1) / t
//   scores 5 a s / t where attention isn't fused; else 4 a / t for the sums of its rows
// Routed tokens count with the experts that they visit. With fp8 inputs of products are kept in
// eight bits. Recomputed modules keep their input alone; the layer at work keeps everything.
// Microbatches under way: p - i of stage i of p, with v chunks (2 (p - i - 1) + (v - 1) p + 1) / v.
// Logits: in 16 bits, twice in 32, and where the framework's loss is not in place once more.
//
// Buffers: what FSDP has gathered (two layers, and one's gradients), of the library a gigabyte or
// two (kLibrary); CUDA itself. Fragmentation: a share of what the allocator hands out and takes
// back.
//
// Ignored: transient workspaces, embedding outputs, optimizer temporaries.
#pragma once

#include <string>
#include <vector>

#include "models/workload/training/training_spec.hpp"

namespace septet::training {

// Of one GPU.
struct MemoryUse {
  Bytes parameters{};
  Bytes gradients{};
  Bytes optimizer{};
  Bytes activations{};
  Bytes logits{};
  Bytes gathered{};       // parameters and gradients of layers at work, of sharded models
  Bytes fragmentation{};  // of the allocator
  Bytes outside{};        // CUDA context, libraries' buffers

  Bytes allocated() const;  // by the framework's allocator, at the peak
  Bytes total() const { return allocated() + fragmentation + outside; }
};

// Bytes of one layer's activations of one microbatch on one GPU, nothing recomputed.
double layer_activations(const TrainingSpec& spec, bool experts);

// By stage.
std::vector<MemoryUse> memory_of_stages(const TrainingSpec& spec);
// Of the stage that holds most.
MemoryUse largest_memory(const TrainingSpec& spec);

// "parameters 15.0 GiB + gradients 15.0 GiB + ... = 70.1 GiB"
std::string sum_text(const MemoryUse& use);

}  // namespace septet::training
