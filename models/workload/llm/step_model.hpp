// The operators of one step on one GPU of a replica, in the kernels of an engine.
//
// A layer of vLLM, SGLang, TensorRT-LLM: norm with the residual sum in it, product to queries, keys
// and values, (norms of queries and keys,) rotary embedding, write to the paged cache, attention
// (FlashAttention 3: decodes and prompts' chunks one kernel each), output product, all-reduce,
// norm, product to gate and up, SiLU and product in one, down product, all-reduce. Products in
// eight bits follow a cast of their input, but for TensorRT-LLM, whose norms and activations write
// eight bits. Around the layers: embedding, norm, head, logits of all tensor ranks gathered, cast
// to four bytes, argmax.
//
// Experts: router product, softmax and top k, two kernels that sort tokens by expert, gate and up,
// SiLU and product, down, sum over the experts of a token; shared experts as a dense MLP. Of E
// experts T tokens that take k each meet E (1 - (1 - k / E)^T); grouped products are one product
// with as many columns as all experts that are met, and as many rows as tokens of one: the same
// weights, operations and tiles where experts have equal shares. Ignored: that shares differ.
//
// Compressed attention: decodes multiply queries by the keys' matrix and attend over the compressed
// cache itself; chunks of prompts spell keys and values out.
//
// PyTorch: transformer_step.hpp, of batches whose sequences are alike.
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
