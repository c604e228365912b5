// One step of a transformer as the kernels of a framework: which operators run, and for how long.
//
// A layer: rmsnorm, product to queries, keys and values, (rotary embedding,) keys and values copied
// to the cache, attention, output product, (all-reduce,) residual sum, rmsnorm, product to gate and
// up, SiLU, product of both, down product, (all-reduce,) residual sum. Tensor parallelism divides
// heads, feed-forward and vocabulary; each rank then adds up partial results twice a layer. Around
// the layers: embedding, norm, head, argmax, as far as the step has them.
//
// Weights come from DRAM, activations stay in the L2 cache where they fit. Kernels follow each
// other as nodes of a graph. Kernels of PyTorch with cuBLAS and cuDNN, counted in profiles of the
// programs that measured (data/measurements/h200/source-llm.py, source-nccl.py).
//
// Ignored: pages of the cache, sampling. Validated against groups tp_step and llm_step.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/transformer/step_operator.hpp"

namespace septet::transformer {

struct TransformerShape {
  std::uint64_t layers = 1;
  std::uint64_t hidden = 0;
  std::uint64_t ffn = 0;
  std::uint64_t heads = 0;
  std::uint64_t kv_heads = 0;
  std::uint64_t dim = 128;  // of a head
  std::uint64_t vocab = 0;
};

struct TransformerStep {
  TransformerShape shape;
  std::uint64_t batch = 1;
  std::uint64_t queries = 1;  // new positions of a sequence
  std::uint64_t keys = 1;     // positions that attention reads, the new ones among them
  std::uint64_t tensor_parallel = 1;
  program::DataType type =
      program::DataType::kBf16;  // of the layers' products; fp8 casts before each
  bool rotary = true;            // rotary embedding of queries and keys
  bool ends = true;              // embedding before the layers, norm and argmax after them

  bool prefill() const { return queries == keys && queries > 1; }
  std::uint64_t rows() const { return batch * queries; }
};

// Of one layer, and of what surrounds all of them.
std::vector<StepOperator> layer_operators(const gpu::GpuSpec& gpu, const TransformerStep& step);
std::vector<StepOperator> outer_operators(const gpu::GpuSpec& gpu, const TransformerStep& step);

}  // namespace septet::transformer
