// Memory of a replica's GPUs, and the number of KV blocks that fit.
//
// Engines define their share of memory in three ways (their documentation and source):
//   total   vLLM's gpu_memory_utilization: everything together is at most fraction x total
//   static  SGLang's mem_fraction_static: weights and cache, without activations
//   free    TensorRT-LLM's free_gpu_memory_fraction: the cache gets fraction x the memory left by
//           weights, activations and the rest
//
// Weights: matrices in the weight format, embedding, head and norms in 16 bits, split over tensor
// ranks; experts over tensor x data ranks; layers over stages, of which the fullest counts.
// Activations are those of a step of `max_tokens` tokens: residual, norm and the columns of the
// widest GEMM, and the 32-bit logits of the sampled sequences three times (raw, sorted, as
// probabilities). Graphs and the rest (CUDA context, workspaces, collective buffers) are given.
//
// Layers with sliding-window attention cache only the window of a sequence; engines that treat all
// layers alike cache all of it (`windows` false).
#pragma once

#include <cstdint>
#include <string>

#include "models/workload/llm/deployment.hpp"

namespace septet::llm {

enum class FractionOf : std::uint8_t { kTotal, kStatic, kFree };

constexpr auto enum_table(std::type_identity<FractionOf>) {
  return enum_texts<FractionOf>("total", "static", "free");
}

struct MemorySettings {
  FractionOf of = FractionOf::kTotal;
  double fraction = 0.9;
  std::uint32_t max_tokens = 8192;  // of a step
  std::uint32_t max_sequences = 256;
  std::uint32_t block_tokens = 16;
  Bytes graphs{};
  Bytes other{};
  bool windows = false;
};

// Of the GPU that holds most.
struct MemoryBudget {
  Bytes total{};  // of the GPU
  Bytes limit{};  // what the engine allows itself
  Bytes weights{};
  Bytes activations{};
  Bytes graphs{};
  Bytes other{};
  Bytes kv{};                  // left for keys and values
  Bytes block{};               // of block_tokens tokens
  std::int64_t kv_blocks = 0;  // whole ones
  std::int64_t kv_tokens = 0;
};

// Bytes of weights of the GPU that holds most of them.
Bytes weight_bytes(const Deployment& deployment);

// Bytes that one more token of one sequence takes on a GPU, as long as it is in every window.
double kv_bytes_per_token(const Deployment& deployment);

// The same on average over a sequence of so many tokens, where windows are told apart.
double kv_bytes_per_token(const Deployment& deployment, double tokens);

Bytes activation_bytes(const Deployment& deployment, const MemorySettings& settings);

// The memory that CUDA reports of a GPU with this size on its data sheet: GiB there, less what the
// driver and error correction reserve. data/measurements/h200/probe: 150.1 GB of "141 GB".
Bytes reported_memory(Bytes data_sheet);

// `gpu_memory`: as CUDA reports it. Throws ConfigError with the sum where not one block is left.
MemoryBudget memory_budget(const Deployment& deployment, const MemorySettings& settings,
                           Bytes gpu_memory);

// "weights 15.0 GiB + activations 1.2 GiB + graphs 0.6 GiB + other 0.5 GiB = 17.3 GiB"
std::string sum_text(const MemoryBudget& budget);

}  // namespace septet::llm
