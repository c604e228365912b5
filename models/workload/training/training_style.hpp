// How a framework runs a training step: its kernels, number formats, what it computes again, and
// what it does while others communicate.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/enum_texts.hpp"

namespace septet::training {

// Which kernels an operator becomes.
//   pytorch             one kernel for each call of a module written in Python
//   torch-compile       what lies between products is fused
//   composer            MosaicML's llm-foundry: as PyTorch, with its packed attention
//   megatron            Megatron-LM of 2021: attention as two products with a fused softmax and a
//                       dropout between them, biases fused with what follows
//   transformer-engine  Megatron-Core, NeMo: fused attention, rotary embedding, activation
//   xla                 JAX: compiled as a whole, the host is never in the way
enum class Framework : std::uint8_t {
  kPyTorch,
  kTorchCompile,
  kComposer,
  kMegatron,
  kTransformerEngine,
  kXla
};
constexpr auto enum_table(std::type_identity<Framework>) {
  return enum_texts<Framework>("pytorch", "torch-compile", "composer", "megatron",
                               "transformer-engine", "xla");
}

// What the products of the layers compute with, forward and backward; attention, head and what lies
// between products stay in 16 bits. fp8 by how scales are found:
//   delayed     one scale a tensor, from earlier steps: casts know it beforehand
//   tensorwise  one scale a tensor, of this very tensor: a pass for its maximum precedes the cast
//   blockwise   one scale for 128 elements, or 128 x 128
//   mxfp8       one for 32 elements, taken by the tensor cores themselves
//   nvfp4       four bits with one scale for 16 elements; gradients of weights as well
enum class Precision : std::uint8_t {
  kBf16,
  kFp16,
  kFp8Delayed,
  kFp8Tensorwise,
  kFp8Blockwise,
  kMxfp8,
  kNvfp4
};
constexpr auto enum_table(std::type_identity<Precision>) {
  return enum_texts<Precision>("bf16", "fp16", "fp8-delayed", "fp8-tensorwise", "fp8-blockwise",
                               "mxfp8", "nvfp4");
}

// What the optimizer keeps.
//   masters   parameters in 16 bits, masters and both moments in 32
//   autocast  parameters and moments in 32 bits, cast before each use
//   half      everything in 16 bits
enum class States : std::uint8_t { kMasters, kAutocast, kHalf };
constexpr auto enum_table(std::type_identity<States>) {
  return enum_texts<States>("masters", "autocast", "half");
}

enum class Granularity : std::uint8_t { kNone, kSelective, kFull };
constexpr auto enum_table(std::type_identity<Granularity>) {
  return enum_texts<Granularity>("none", "selective", "full");
}

struct Recomputation {
  Granularity granularity = Granularity::kNone;
  std::uint32_t layers = 0;  // with `full`: so many of each stage; 0: all
  // With `selective`: which modules.
  bool attention = false;      // scores, softmax and dropout
  bool mlp = false;            // the whole MLP
  bool activation = false;     // its activation and the norms
  bool up_projection = false;  // of latent attention
};

// What runs as a CUDA graph: nothing, the modules of a layer, the step.
enum class Graphs : std::uint8_t { kNone, kLayers, kStep };
constexpr auto enum_table(std::type_identity<Graphs>) {
  return enum_texts<Graphs>("none", "layers", "step");
}

struct Style {
  Framework framework = Framework::kTransformerEngine;
  Precision precision = Precision::kBf16;
  States states = States::kMasters;
  bool reduce_in_fp32 = false;     // gradients are added up over microbatches and GPUs in fp32
  bool flash_attention = true;     // scores never leave the SM
  bool attention_dropout = false;  // of scores and of what residuals add
  bool grouped_gemm = true;        // all experts of a GPU in one kernel
  bool tensor_overlap = false;     // products in pieces, beside the exchange of tensor ranks
  bool reduce_overlap = true;      // gradients are reduced beside the backward pass
  bool gather_overlap = false;     // sharded parameters are gathered beside the forward pass
  bool expert_overlap = false;     // tokens are dispatched beside another microbatch's work
  bool fused_dispatch = false;     // tokens go once to each GPU, into place (DeepEP, HybridEP)
  bool synchronous = false;        // every launch waits for its kernel (CUDA_LAUNCH_BLOCKING)
  Graphs graphs = Graphs::kNone;

  constexpr bool fp8() const { return precision > Precision::kFp16; }
};

}  // namespace septet::training
