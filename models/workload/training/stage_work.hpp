// What a GPU does for one microbatch: kernels with their times, and where it talks to others.
//
// Products, attention, norms and elementwise kernels are those of models/gpu/operators, each with
// the operands that one tensor-parallel rank holds, cold, under steady load. The backward pass of a
// product is two products; that of attention takes 2.5 times the forward one, since it has five
// products instead of two (Dao et al., FlashAttention, 2022); that of a norm or an elementwise
// kernel takes twice as long, since it reads the gradient as well. Ignored: dropout, biases, the
// split of long sequences over GPUs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/workload/training/training_spec.hpp"

namespace septet {

enum class WorkKind : std::uint8_t {
  kKernel,
  kTensorReduce,    // all-reduce over the tensor-parallel group: `bytes`
  kExpertExchange,  // all-to-all over the expert-parallel group: `bytes`
};

struct WorkItem {
  WorkKind kind = WorkKind::kKernel;
  std::string kernel;
  Duration time{};
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

// Throws ModelError where the GPU has no numbers for such kernels.
StageWork stage_work(const GpuSpec& gpu, const TrainingSpec& spec);

// The optimiser's kernel for the parameters of one bucket of gradients.
WorkItem update_work(const GpuSpec& gpu, const TrainingSpec& spec, Bytes bucket);

}  // namespace septet
