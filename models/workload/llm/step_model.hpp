// The operators of one step on one GPU of a replica, in the kernels of an engine.
//
// A layer of vLLM, SGLang, TensorRT-LLM: norm with fused residual add, QKV projection, (query and
// key norms,) rotary embedding, write to the paged cache, attention (FlashAttention 3: one kernel
// for decodes, one for prefill chunks), output projection, all-reduce, norm, gate and up
// projection, fused SiLU and multiply, down projection, all-reduce. A cast of the input precedes
// 8-bit GEMMs, except in TensorRT-LLM, whose norms and activations write 8 bits. Around the layers:
// embedding, norm, head, all-gather of the logits over tensor ranks, cast to 32 bits, argmax.
//
// Experts: router GEMM, softmax and top k, two kernels that sort tokens by expert, gate and up,
// SiLU and multiply, down, sum over the experts of a token; shared experts as a dense MLP. T tokens
// with k of E experts each reach E (1 - (1 - k / E)^T) experts; a grouped GEMM is one GEMM with the
// columns of all experts reached and the rows of one: the same weights, operations and tiles where
// experts have equal shares. The last tile of each expert is half full; where experts are spread,
// the rank with most tokens has 1.3 times its share.
//
// Latent attention (MLA): decodes absorb the key projection into the queries and attend over the
// compressed cache; prefill chunks expand keys and values.
//
// PyTorch: transformer_step.hpp, of batches of equal sequences.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/workload/llm/deployment.hpp"
#include "models/workload/llm/step_shape.hpp"
#include "models/workload/transformer/step_operator.hpp"

namespace septet::llm {

class StepModel {
 public:
  // `gpu` must outlive it. Throws ConfigError where the layout doesn't fit the model.
  StepModel(const gpu::GpuSpec& gpu, Deployment deployment);

  // What a GPU of pipeline stage `stage` runs. Throws ModelError where the style has no kernels for
  // such a batch.
  std::vector<transformer::StepPart> parts(const StepShape& shape, std::uint32_t stage) const;

  const Deployment& deployment() const { return deployment_; }
  const gpu::GpuSpec& gpu() const { return gpu_; }

 private:
  const gpu::GpuSpec& gpu_;
  const Deployment deployment_;
};

}  // namespace septet::llm
