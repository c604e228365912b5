// A model as an engine runs it: number formats, layout over GPUs, kernel library.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/enum_texts.hpp"
#include "models/workload/transformer/model.hpp"

namespace septet::llm {

// How one replica's layers are divided. A replica has tensor * pipeline * data GPUs.
struct Layout {
  std::uint32_t tensor = 1;    // GPUs that share each layer's matrices
  std::uint32_t pipeline = 1;  // stages of layers
  std::uint32_t data = 1;      // ranks of attention, each with sequences of its own
  bool expert = false;         // experts are spread over tensor * data GPUs, not split

  std::uint32_t gpus() const { return tensor * pipeline * data; }
  // GPUs over which the experts of a layer are divided, spread or split.
  std::uint32_t expert_gpus() const { return tensor * data; }
};

// Which kernels an operator of the model becomes. `pytorch`: none fused, as in
// data/measurements/h200/source-llm.py. The engines fuse what lies between GEMMs.
enum class Style : std::uint8_t { kPyTorch, kVllm, kSglang, kTensorRtLlm };

constexpr auto enum_table(std::type_identity<Style>) {
  return enum_texts<Style>("pytorch", "vllm", "sglang", "tensorrt-llm");
}

struct Deployment {
  transformer::Model model;  // `weights` in the format that is served
  transformer::NumberFormat kv = transformer::NumberFormat::kBf16;
  Layout layout;
  Style style = Style::kVllm;
};

// Throws ConfigError naming the field, what was got and what is wanted: sizes that the layout
// doesn't divide.
void check(const Deployment& deployment);

}  // namespace septet::llm
